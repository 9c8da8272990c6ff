# The least tool loop: one connection, one message list, no store, no checks.
import http.client, json, sys
from urllib.parse import urlparse

url, rounds = urlparse(sys.argv[1]), sys.argv[2]
link = http.client.HTTPConnection(url.hostname, url.port)
messages = [
    {"role": "system", "content": "You read a file. " + str(id(link))},
    {"role": "user", "content": f"Read on [bench:{rounds}]"},
]
tool = {"type": "function", "function": {"name": "files_read", "description": "Reads.", "parameters": {"type": "object", "properties": {}}}}
while True:
    body = json.dumps({"messages": messages, "model": "wisp-scripted", "stream": True, "stream_options": {"include_usage": True}, "tools": [tool]})
    link.request("POST", url.path + "/chat/completions", body, {"content-type": "application/json"})
    text, calls, reasoning = "", {}, ""
    for line in link.getresponse().read().decode().splitlines():
        if not line.startswith("data: {"):
            continue
        for choice in json.loads(line[6:]).get("choices", []):
            delta = choice.get("delta", {})
            text += delta.get("content") or ""
            reasoning += delta.get("reasoning_content") or ""
            for part in delta.get("tool_calls") or []:
                call = calls.setdefault(part["index"], {"id": "", "type": "function", "function": {"name": "", "arguments": ""}})
                call["id"] = call["id"] or part.get("id", "")
                call["function"]["name"] += part["function"].get("name") or ""
                call["function"]["arguments"] += part["function"].get("arguments") or ""
    if not calls:
        break
    turn = {"role": "assistant", "content": text or None, "tool_calls": [calls[index] for index in sorted(calls)]}
    if reasoning:
        turn["reasoning_content"] = reasoning
    messages.append(turn)
    for call in turn["tool_calls"]:
        messages.append({"role": "tool", "tool_call_id": call["id"], "content": "{\"text\":\"line\"}"})
