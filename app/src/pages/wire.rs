//! The words between the window and the page process: how commands and events are written and read.
//!
//! A message is two lengths (32 bits each, little-endian), then JSON of the first length, then bytes of the
//! second: the pixels of a picture, which would be ten times as long in JSON. Both sides refuse what is longer
//! than the limits here, so that a page that floods its process can't fill the window's memory.

use std::io::{self, ErrorKind, Read, Write};

use serde::Serialize;
use serde::de::DeserializeOwned;

use super::{PageCommand, PageEvent};

/// Bytes of JSON that a message may have. The longest is a page's text with its links.
pub const MOST_JSON: usize = 1_000_000;
/// Bytes of pixels that a message may have: more than a page of 5,000 by 5,000.
pub const MOST_PIXELS: usize = 100_000_000;
/// Bytes of a channel's four values.
const PIXEL: usize = 4;

/// Writes a command. An error where it is too long, or of the pipe.
pub fn write_command(to: &mut impl Write, command: &PageCommand) -> io::Result<()> {
    write(to, command, &[])
}

/// Reads a command; `None` where the pipe has ended between two messages.
pub fn read_command(from: &mut impl Read) -> io::Result<Option<PageCommand>> {
    match read(from)? {
        Some((command, pixels)) if pixels.is_empty() => Ok(Some(command)),
        Some(_) => Err(broken("a command with pixels")),
        None => Ok(None),
    }
}

/// Writes an event. An error where it is too long, or of the pipe.
pub fn write_event(to: &mut impl Write, mut event: PageEvent) -> io::Result<()> {
    let pixels = match &mut event {
        PageEvent::Picture {
            picture: Some(picture),
            ..
        } => std::mem::take(&mut picture.rgba),
        _ => Vec::new(),
    };
    write(to, &event, &pixels)
}

/// Reads an event; `None` where the pipe has ended between two messages.
pub fn read_event(from: &mut impl Read) -> io::Result<Option<PageEvent>> {
    let Some((mut event, pixels)) = read(from)? else {
        return Ok(None);
    };
    match &mut event {
        PageEvent::Picture {
            picture: Some(picture),
            ..
        } => {
            let size = (picture.width as usize)
                .checked_mul(picture.height as usize)
                .and_then(|size| size.checked_mul(PIXEL));
            if size != Some(pixels.len()) {
                return Err(broken("a picture of another size"));
            }
            picture.rgba = pixels;
        }
        _ if pixels.is_empty() => {}
        _ => return Err(broken("pixels without a picture")),
    }
    Ok(Some(event))
}

fn write(to: &mut impl Write, message: &impl Serialize, pixels: &[u8]) -> io::Result<()> {
    let json = serde_json::to_vec(message)?;
    if json.len() > MOST_JSON || pixels.len() > MOST_PIXELS {
        return Err(broken("a message that is too long"));
    }
    for length in [json.len(), pixels.len()] {
        let length = u32::try_from(length).map_err(|_| broken("a message that is too long"))?;
        to.write_all(&length.to_le_bytes())?;
    }
    to.write_all(&json)?;
    to.write_all(pixels)?;
    to.flush()
}

fn read<T: DeserializeOwned>(from: &mut impl Read) -> io::Result<Option<(T, Vec<u8>)>> {
    let Some(first) = length(from)? else {
        return Ok(None);
    };
    let second = length(from)?.ok_or_else(|| io::Error::from(ErrorKind::UnexpectedEof))?;
    if first > MOST_JSON || second > MOST_PIXELS {
        return Err(broken("a message that is too long"));
    }
    let json = bytes(from, first)?;
    let pixels = bytes(from, second)?;
    let message = serde_json::from_slice(&json)?;
    Ok(Some((message, pixels)))
}

/// A length; `None` where the pipe has ended before its first byte.
fn length(from: &mut impl Read) -> io::Result<Option<usize>> {
    let mut length = [0; 4];
    let read = loop {
        match from.read(&mut length) {
            Ok(read) => break read,
            Err(error) if error.kind() == ErrorKind::Interrupted => {}
            Err(error) => return Err(error),
        }
    };
    if read == 0 {
        return Ok(None);
    }
    from.read_exact(length.get_mut(read..).unwrap_or_default())?;
    Ok(usize::try_from(u32::from_le_bytes(length)).ok())
}

/// Grows with what really comes: a length alone makes no room.
fn bytes(from: &mut impl Read, length: usize) -> io::Result<Vec<u8>> {
    let mut bytes = Vec::new();
    let mut part = from.take(length as u64);
    part.read_to_end(&mut bytes)?;
    if bytes.len() == length {
        Ok(bytes)
    } else {
        Err(ErrorKind::UnexpectedEof.into())
    }
}

fn broken(what: &str) -> io::Error {
    io::Error::new(ErrorKind::InvalidData, what)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::pages::{PageId, Pixels};

    fn picture(width: u32, height: u32, bytes: usize) -> PageEvent {
        PageEvent::Picture {
            request: 7,
            picture: Some(Pixels {
                width,
                height,
                rgba: vec![9; bytes],
            }),
        }
    }

    #[test]
    fn what_is_written_is_read() {
        let commands = [
            PageCommand::ReleaseFocus { turn: 7 },
            PageCommand::Find {
                page: PageId(3),
                words: "über 中文".to_owned(),
                forward: true,
            },
        ];
        let mut pipe = Vec::new();
        for command in &commands {
            write_command(&mut pipe, command).unwrap();
        }
        let mut pipe = pipe.as_slice();
        for command in commands {
            assert_eq!(read_command(&mut pipe).unwrap(), Some(command));
        }
        assert_eq!(read_command(&mut pipe).unwrap(), None);
    }

    #[test]
    fn a_picture_travels_as_bytes() {
        let event = picture(30, 20, 2400);
        let mut pipe = Vec::new();
        write_event(&mut pipe, event.clone()).unwrap();
        assert!(pipe.len() < 2600, "{}", pipe.len());
        assert_eq!(read_event(&mut pipe.as_slice()).unwrap(), Some(event));
    }

    #[test]
    fn what_is_not_right_is_an_error() {
        let mut pipe = Vec::new();
        write_event(&mut pipe, picture(30, 21, 2400)).unwrap();
        assert!(read_event(&mut pipe.as_slice()).is_err(), "another size");
        let mut pipe = Vec::new();
        write_event(&mut pipe, picture(u32::MAX, u32::MAX, 4)).unwrap();
        assert!(read_event(&mut pipe.as_slice()).is_err(), "beyond counting");
        let mut pipe = Vec::new();
        write_command(&mut pipe, &PageCommand::ReleaseFocus { turn: 7 }).unwrap();
        for end in 1..pipe.len() {
            assert!(read_command(&mut &pipe[..end]).is_err(), "cut at {end}");
        }
        let mut long = u32::MAX.to_le_bytes().to_vec();
        long.extend([0; 4]);
        assert!(read_command(&mut long.as_slice()).is_err(), "too long");
        let words = "x".repeat(MOST_JSON);
        let find = PageCommand::Find {
            page: PageId(1),
            words,
            forward: true,
        };
        assert!(write_command(&mut Vec::new(), &find).is_err());
    }
}
