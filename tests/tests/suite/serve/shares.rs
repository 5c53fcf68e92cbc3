//! The limits of one token or one role.

use std::io::{Read, Write};
use std::net::{Shutdown, TcpStream};
use std::sync::mpsc::{self, Receiver};
use std::thread;

use serde_json::{Value, json};

use super::scene::{Served, scene};

/// Connections that send a head and a part of the body, and then nothing.
struct Slow {
    streams: Vec<TcpStream>,
    /// The one that gets an answer, and the answer.
    answers: Receiver<(usize, String)>,
}

const SLOW: usize = 260;
const BODY: &str = "{\"path\": \"a.md\", \"content\": \"one\"}";
/// The part of it that arrives.
const PART: usize = 10;

impl Slow {
    /// They use these tokens in turn.
    fn begin(served: &Served, tokens: &[String]) -> Slow {
        let (tell, answers) = mpsc::channel();
        let streams = (0..SLOW).map(|at| {
            let mut stream = TcpStream::connect(&served.address).unwrap();
            let head = format!(
                "POST /sandboxes/default/tools/write_file HTTP/1.1\r\nHost: {}\r\nConnection: close\r\n\
                 Authorization: Bearer {}\r\nContent-Type: application/json\r\nContent-Length: {}\r\n\r\n{}",
                served.address,
                tokens[at % tokens.len()],
                BODY.len(),
                &BODY[..PART],
            );
            stream.write_all(head.as_bytes()).unwrap();
            let (mut reader, tell) = (stream.try_clone().unwrap(), tell.clone());
            thread::spawn(move || {
                let mut answer = String::new();
                // A connection that was held to the end has no answer.
                let _ = reader.read_to_string(&mut answer);
                let _ = tell.send((at, answer));
            });
            stream
        });
        Slow { streams: streams.collect(), answers }
    }

    /// The next one that is refused.
    fn turned_away(&self) -> usize {
        let (at, answer) = self.answers.recv().unwrap();
        let (head, body) = answer.split_once("\r\n\r\n").unwrap();
        assert!(head.starts_with("HTTP/1.1 429 "), "{answer}");
        let problem: Value = serde_json::from_str(body).unwrap();
        assert_eq!((&problem["status"], &problem["kind"]), (&json!(429), &json!("busy")), "{problem}");
        assert!(!problem["hint"].as_str().unwrap().is_empty(), "{problem}");
        at
    }
}

impl Drop for Slow {
    fn drop(&mut self) {
        for stream in &self.streams {
            // It may be closed.
            let _ = stream.shutdown(Shutdown::Both);
        }
    }
}

fn people_are_answered(served: &Served, [owner, reviewer, _]: &[String; 3]) {
    for token in [owner, reviewer] {
        let (status, said) = served.get(token, "/sandboxes/default/waiting");
        assert_eq!(status, 200, "{said}");
        let (status, said) = served.call(token, "git_status", &json!({}));
        assert_eq!(status, 200, "{said}");
    }
    let (status, said) = served.get(&served.operator, "/sandboxes");
    assert_eq!(status, 200, "{said}");
    let (status, said) = served.post(&served.operator, "/sandboxes/default/tokens", &json!({ "role": "agent" }));
    assert_eq!(status, 201, "{said}");
}

#[test]
fn attack_21_bodies_of_one_agent_that_never_come_lock_nobody_out() {
    let (_cli, _repo, served, tokens) = scene();
    let other = served.token(&tokens[0], "agent");
    let slow = Slow::begin(&served, &tokens[2..]);
    let away: Vec<usize> = (0..4).map(|_| slow.turned_away()).collect();
    people_are_answered(&served, &tokens);
    let (status, said) = served.call(&other, "git_status", &json!({}));
    assert_eq!(status, 200, "another agent has its own share: {said}");
    // The connections that were not refused were served all the while.
    let mut more: Vec<usize> = away;
    while more.len() < SLOW - 32 {
        more.push(slow.turned_away());
    }
    let kept = (0..SLOW).find(|at| !more.contains(at)).unwrap();
    (&slow.streams[kept]).write_all(&BODY.as_bytes()[PART..]).unwrap();
    let (at, answer) = slow.answers.recv().unwrap();
    assert!(at == kept && answer.starts_with("HTTP/1.1 200 "), "{answer}");
}

#[test]
fn attack_21_bodies_of_all_agents_that_never_come_lock_no_person_out() {
    let (_cli, _repo, served, tokens) = scene();
    let agents: Vec<String> = (0..8).map(|_| served.token(&tokens[0], "agent")).collect();
    let slow = Slow::begin(&served, &agents);
    for _ in 0..4 {
        slow.turned_away();
    }
    people_are_answered(&served, &tokens);
}

#[test]
fn attack_21_long_bodies_of_an_agent_are_few_at_a_time() {
    let (_cli, _repo, served, tokens) = scene();
    let head = format!(
        "POST /sandboxes/default/tools/write_file HTTP/1.1\r\nHost: {}\r\nAuthorization: Bearer {}\r\n\
         Content-Type: application/json\r\nContent-Length: {}\r\n\r\n",
        served.address,
        tokens[2],
        16 << 20,
    );
    // Three are as long as a token's share. None of them ends.
    let streams = (0..4).map(|_| {
        let mut stream = TcpStream::connect(&served.address).unwrap();
        stream.write_all(head.as_bytes()).unwrap();
        stream
    });
    let streams: Vec<TcpStream> = streams.collect();
    let (tell, told) = mpsc::channel();
    for stream in &streams {
        let (mut reader, tell) = (stream.try_clone().unwrap(), tell.clone());
        thread::spawn(move || {
            let mut status = [0; "HTTP/1.1 429".len()];
            let _ = reader.read_exact(&mut status);
            let _ = tell.send(status);
        });
    }
    assert_eq!(&told.recv().unwrap(), b"HTTP/1.1 429");
    people_are_answered(&served, &tokens);
    streams.iter().for_each(|stream| stream.shutdown(Shutdown::Both).unwrap());
}

#[test]
fn who_listens_with_one_token_leaves_room_for_others_and_gives_it_back() {
    let (_cli, _repo, served, [owner, reviewer, _]) = scene();
    let listen = |token: &str| {
        let mut stream = TcpStream::connect(&served.address).unwrap();
        let (address, lines) = (&served.address, format!("Authorization: Bearer {token}"));
        let head = format!("GET /sandboxes/default/events HTTP/1.1\r\nHost: {address}\r\n{lines}\r\n\r\n");
        stream.write_all(head.as_bytes()).unwrap();
        let mut status = [0; "HTTP/1.1 200".len()];
        stream.read_exact(&mut status).unwrap();
        (status[9..] == *b"200").then_some(stream)
    };
    let mut listening = Vec::new();
    while let Some(stream) = listen(&reviewer) {
        listening.push(stream);
        assert!(listening.len() < 200, "one token has a share of its own");
    }
    assert!(listen(&owner).is_some(), "others have theirs");
    drop(listening.pop());
    // The server notices a disconnect only after a while.
    while listen(&reviewer).is_none() {}
}
