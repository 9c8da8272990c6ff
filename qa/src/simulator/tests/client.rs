//! A small HTTP client that shows what it got chunk by chunk, and a conversation that it leads.

use std::{
    io::{Read, Write},
    net::TcpStream,
    time::Duration,
};

use serde_json::{Value, json};

use crate::{Scenario, Simulator};

pub(super) const DEADLINE: Duration = Duration::from_secs(10);

/// A scenario from its turns' text and, if need be, more of its head.
pub(super) fn scenario(name: &str, head: &str, turns: &str) -> Scenario {
    let text = format!(
        "name = \"{name}\"\ntitle = \"{name}\"\ntag = \"[{name}]\"\nprompt = \"[{name}]\"\n{head}\n{turns}\n\
         [expect]\noutcome = \"done\"\nanswer = [\"x\"]\nrequests = 1\n"
    );
    Scenario::parse(&text).unwrap_or_else(|error| panic!("{error}\n{text}"))
}

pub(super) fn start(scenarios: Vec<Scenario>) -> Simulator {
    Simulator::start(scenarios, 0).unwrap()
}

/// A scenario of one turn, already served.
pub(super) fn serve(turn: &str) -> Simulator {
    start(vec![scenario("s", "", &format!("[[turns]]\n{turn}"))])
}

/// An answer, as it came.
#[derive(Debug)]
pub(super) struct Answer {
    pub(super) status: u16,
    pub(super) head: String,
    pub(super) chunks: Vec<Vec<u8>>,
    /// Whether it ended as HTTP says an answer ends.
    pub(super) complete: bool,
}

impl Answer {
    pub(super) fn body(&self) -> String {
        String::from_utf8(self.chunks.concat()).unwrap()
    }

    /// The stream's data, comments left out.
    pub(super) fn data(&self) -> Vec<String> {
        self.body()
            .replace("\r\n", "\n")
            .split("\n\n")
            .filter_map(|event| {
                let mut lines = event.lines();
                lines
                    .find_map(|line| line.strip_prefix("data: "))
                    .map(str::to_owned)
            })
            .collect()
    }

    pub(super) fn error(&self) -> Value {
        let body: Value = serde_json::from_str(&self.body()).unwrap();
        body["error"].clone()
    }

    /// The stream's deltas, joined as a client joins them.
    pub(super) fn message(&self) -> Value {
        let mut content = String::new();
        let mut reasoning = String::new();
        let mut calls: Vec<Value> = Vec::new();
        for data in self.data().iter().filter(|data| *data != "[DONE]") {
            let event: Value = serde_json::from_str(data).unwrap();
            let delta = &event["choices"][0]["delta"];
            content += delta["content"].as_str().unwrap_or_default();
            reasoning += delta["reasoning_content"].as_str().unwrap_or_default();
            for call in delta["tool_calls"].as_array().into_iter().flatten() {
                let index = usize::try_from(call["index"].as_u64().unwrap()).unwrap();
                if index >= calls.len() {
                    assert_eq!(index, calls.len());
                    calls.push(json!({"id": call["id"], "type": "function", "function":
                        {"name": call["function"]["name"], "arguments": ""}}));
                }
                let more = call["function"]["arguments"].as_str().unwrap();
                let arguments = &mut calls[index]["function"]["arguments"];
                *arguments = format!("{}{more}", arguments.as_str().unwrap()).into();
            }
        }
        let mut message = json!({"role": "assistant", "content": content});
        if !reasoning.is_empty() {
            message["reasoning_content"] = reasoning.into();
        }
        if !calls.is_empty() {
            message["tool_calls"] = calls.into();
        }
        message
    }

    /// Whether each event is JSON.
    pub(super) fn well_formed(&self) -> bool {
        self.data()
            .iter()
            .all(|data| data == "[DONE]" || serde_json::from_str::<Value>(data).is_ok())
    }

    pub(super) fn finish(&self) -> Option<String> {
        self.data().iter().find_map(|data| {
            let event: Value = serde_json::from_str(data).ok()?;
            Some(event["choices"][0]["finish_reason"].as_str()?.to_owned())
        })
    }

    pub(super) fn usage(&self) -> Value {
        let data = self.data();
        let last: Value = serde_json::from_str(&data[data.len() - 2]).unwrap();
        assert_eq!(last["choices"], json!([]));
        last["usage"].clone()
    }
}

/// One connection.
pub(super) struct Client {
    stream: TcpStream,
    read: Vec<u8>,
}

impl Client {
    pub(super) fn new(simulator: &Simulator) -> Self {
        let url = simulator.base_url();
        let address = url
            .strip_prefix("http://")
            .and_then(|rest| rest.strip_suffix("/v1"))
            .unwrap();
        let stream = TcpStream::connect(address).unwrap();
        stream.set_read_timeout(Some(DEADLINE)).unwrap();
        stream.set_nodelay(true).unwrap();
        Self {
            stream,
            read: Vec::new(),
        }
    }

    pub(super) fn send(&mut self, method: &str, path: &str, head: &str, body: &str) {
        let request = format!(
            "{method} {path} HTTP/1.1\r\nHost: x\r\nContent-Length: {}\r\n{head}\r\n{body}",
            body.len()
        );
        self.stream.write_all(request.as_bytes()).unwrap();
    }

    pub(super) fn post(&mut self, body: &str) -> Answer {
        self.send("POST", "/v1/chat/completions", "", body);
        self.answer()
    }

    pub(super) fn answer(&mut self) -> Answer {
        let head = loop {
            if let Some(end) = find(&self.read, b"\r\n\r\n") {
                let rest = self.read.split_off(end + 4);
                break String::from_utf8(std::mem::replace(&mut self.read, rest)).unwrap();
            }
            assert!(self.more(), "the connection ended before a head");
        };
        let status = head.split(' ').nth(1).unwrap().parse().unwrap();
        let lower = head.to_lowercase();
        let mut answer = Answer {
            status,
            chunks: Vec::new(),
            complete: true,
            head: lower,
        };
        let length = |line: &str| line.strip_prefix("content-length: ")?.parse().ok();
        if let Some(length) = answer.head.lines().find_map(length) {
            answer.chunks.extend(self.take(length));
            return answer;
        }
        loop {
            match self.chunk() {
                Some(chunk) if chunk.is_empty() => return answer,
                Some(chunk) => answer.chunks.push(chunk),
                None => {
                    answer.complete = false;
                    return answer;
                }
            }
        }
    }

    /// What has come, as soon as it is so many bytes behind the head.
    pub(super) fn read_until(&mut self, bytes: usize) -> String {
        loop {
            if let Some(end) = find(&self.read, b"\r\n\r\n")
                && self.read.len() >= end + 4 + bytes
            {
                return String::from_utf8_lossy(&self.read).into_owned();
            }
            assert!(self.more(), "the connection ended");
        }
    }

    /// The next HTTP chunk; empty is the last one, `None` a connection that ended.
    fn chunk(&mut self) -> Option<Vec<u8>> {
        let end = loop {
            if let Some(end) = find(&self.read, b"\r\n") {
                break end;
            }
            if !self.more() {
                return None;
            }
        };
        let line = self.take(end + 2)?;
        let size = std::str::from_utf8(&line).unwrap().trim();
        let size = usize::from_str_radix(size, 16).unwrap();
        let mut chunk = self.take(size + 2)?;
        chunk.truncate(size);
        Some(chunk)
    }

    fn take(&mut self, length: usize) -> Option<Vec<u8>> {
        while self.read.len() < length {
            if !self.more() {
                return None;
            }
        }
        let rest = self.read.split_off(length);
        Some(std::mem::replace(&mut self.read, rest))
    }

    fn more(&mut self) -> bool {
        let mut buffer = [0; 16 * 1024];
        match self.stream.read(&mut buffer) {
            Ok(0) => false,
            Ok(count) => {
                self.read.extend_from_slice(&buffer[..count]);
                true
            }
            Err(error) if error.kind() == std::io::ErrorKind::ConnectionReset => false,
            Err(error) => panic!("{error}"),
        }
    }
}

fn find(bytes: &[u8], what: &[u8]) -> Option<usize> {
    bytes.windows(what.len()).position(|window| window == what)
}

/// A conversation, with requests whose bytes grow only at the end.
#[derive(Clone)]
pub(super) struct Conversation {
    pub(super) messages: Vec<Value>,
    pub(super) tail: String,
}

pub(super) const TAIL: &str = r#","model":"m","stream":true,"stream_options":{"include_usage":true},"tools":[{"type":"function","function":{"name":"files_list","parameters":{"type":"object"}}}]}"#;

impl Conversation {
    pub(super) fn new(text: &str) -> Self {
        let messages = vec![
            json!({"role": "system", "content": "Be brief."}),
            json!({"role": "user", "content": text}),
        ];
        Self {
            messages,
            tail: TAIL.to_owned(),
        }
    }

    pub(super) fn body(&self) -> String {
        let messages: Vec<String> = self.messages.iter().map(Value::to_string).collect();
        format!(
            r#"{{"max_tokens":100,"messages":[{}]{}"#,
            messages.join(","),
            self.tail
        )
    }

    pub(super) fn user(&mut self, text: &str) {
        self.messages.push(json!({"role": "user", "content": text}));
    }

    /// Takes a reply, and answers each of its calls with what `result` makes of its number.
    pub(super) fn reply(&mut self, message: Value, result: impl Fn(usize) -> String) {
        let calls = message["tool_calls"].clone();
        self.messages.push(message);
        for (number, call) in calls.as_array().into_iter().flatten().enumerate() {
            self.messages.push(json!({
                "role": "tool", "tool_call_id": call["id"], "content": result(number)
            }));
        }
    }

    /// Sends it, takes the reply, and answers its calls.
    pub(super) fn step(&mut self, client: &mut Client) -> Answer {
        let answer = client.post(&self.body());
        assert_eq!(answer.status, 200, "{}", answer.body());
        self.reply(answer.message(), |number| {
            format!("{{\"number\":{number}}}")
        });
        answer
    }
}
