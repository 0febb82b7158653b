//! The entries of the cache weigh what they cost: small ones too, of which there are many.

use std::io::{BufRead, BufReader, Read, Write};

use crate::harness::{Program, connect};

/// Requests small levels with these seeds, one connection for all. Returns the bytes of the bodies.
fn request(program: &Program, seeds: std::ops::Range<u32>) -> usize {
    let mut stream = connect(program.addr);
    let mut answers = BufReader::new(stream.try_clone().expect("a socket"));
    let (mut body, mut total) = (Vec::new(), 0);
    let seeds: Vec<_> = seeds.collect();
    // a few at once, which is faster
    for seeds in seeds.chunks(16) {
        let requests = seeds.iter().map(|seed| format!("GET /maze?size=5&seed={seed} HTTP/1.1\r\nhost: mazed\r\n\r\n"));
        stream.write_all(requests.collect::<String>().as_bytes()).expect("they are taken");
        for _ in seeds {
            let (mut line, mut length) = (String::new(), 0);
            answers.read_line(&mut line).expect("a status line");
            assert!(line.contains(" 200 "), "{line}");
            while line != "\r\n" {
                line.clear();
                answers.read_line(&mut line).expect("a header");
                if let Some(value) = line.strip_prefix("content-length: ") {
                    length = value.trim().parse().expect("a number");
                }
            }
            body.resize(length, 0);
            answers.read_exact(&mut body).expect("a body");
            total += length;
        }
    }
    total
}

#[test]
fn small_entries_take_no_more_memory_than_they_weigh() {
    const CACHE: u64 = 24 << 20;
    let program = Program::start(&[("MAZED_CACHE_BYTES", "24MiB")]);
    // buffers and code are in memory after these
    request(&program, 1_000_000..1_000_500);
    let before = program.memory("VmRSS");
    // more than twice as many as fit
    let bodies = request(&program, 0..28_000);
    let grown = program.memory("VmRSS").saturating_sub(before);
    assert!(bodies < 8 << 20, "small ones: most of the memory is not bodies");
    assert!(grown <= CACHE + CACHE / 5, "{grown} bytes for a cache of {CACHE}");
    assert!(grown >= CACHE / 2, "{grown} bytes for a cache of {CACHE}, which is not used");
}
