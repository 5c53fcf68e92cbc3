//! The search finds secrets in compressed files, within limits.

use std::io::Write;

use crate::support::{planted::fill, pushing::Scene};
use fastrand::Rng;
use gate::{review::Flag, secrets::scan};
use zlib_rs::{Deflate, DeflateFlush};

/// The findings: the rule, the line, and the file inside.
fn found(content: &[u8]) -> Vec<(&'static str, usize, Option<String>)> {
    scan(content).into_iter().map(|finding| (finding.rule, finding.line, finding.entry)).collect()
}

fn deflated(content: &[u8]) -> Vec<u8> {
    let mut out = vec![0; content.len() + 1000];
    let mut deflate = Deflate::new(6, false, 15);
    deflate.compress(content, &mut out, DeflateFlush::Finish).unwrap();
    out.truncate(deflate.total_out() as usize);
    out
}

fn gzip(content: &[u8]) -> Vec<u8> {
    let sum = zlib_rs::crc32::crc32(0, content).to_le_bytes();
    let size = (content.len() as u32).to_le_bytes();
    [&[0x1f, 0x8b, 8, 8, 0, 0, 0, 0, 0, 3][..], b"name\0", &deflated(content), &sum, &size].concat()
}

fn xz(content: &[u8]) -> Vec<u8> {
    let mut writer = lzma_rust2::XzWriter::new(Vec::new(), lzma_rust2::XzOptions::with_preset(1)).unwrap();
    writer.write_all(content).unwrap();
    writer.finish().unwrap()
}

fn bzip2(content: &[u8]) -> Vec<u8> {
    let mut writer = bzip2::write::BzEncoder::new(Vec::new(), bzip2::Compression::fast());
    writer.write_all(content).unwrap();
    writer.finish().unwrap()
}

fn zstd(content: &[u8]) -> Vec<u8> {
    ruzstd::encoding::compress_to_vec(content, ruzstd::encoding::CompressionLevel::Fastest)
}

/// A zip of files without a directory, with or without the sizes in the local headers.
fn zip(files: &[(&str, &[u8])], sized: bool) -> Vec<u8> {
    let mut out = Vec::new();
    for (name, content) in files {
        let packed = deflated(content);
        let sizes: Vec<u8> =
            [packed.len() as u32, content.len() as u32].into_iter().flat_map(u32::to_le_bytes).collect();
        let sum = zlib_rs::crc32::crc32(0, content).to_le_bytes();
        let flags = if sized { 0 } else { 8 };
        out.extend_from_slice(&[b'P', b'K', 3, 4, 20, 0, flags, 0, 8, 0, 0, 0, 0, 0]);
        out.extend_from_slice(if sized { &sum } else { &[0; 4] });
        out.extend_from_slice(if sized { &sizes } else { &[0; 8] });
        out.extend_from_slice(&[name.len() as u8, 0, 2, 0]);
        out.extend_from_slice(name.as_bytes());
        out.extend_from_slice(&[7, 7]);
        out.extend_from_slice(&packed);
        if !sized {
            out.extend_from_slice(&[b'P', b'K', 7, 8]);
            out.extend_from_slice(&sum);
            out.extend_from_slice(&sizes);
        }
    }
    out
}

fn tar(files: &[(&str, &[u8])]) -> Vec<u8> {
    let mut out = Vec::new();
    for (name, content) in files {
        let mut header = [0; 512];
        header[..name.len()].copy_from_slice(name.as_bytes());
        header[124..136].copy_from_slice(format!("{:011o}\0", content.len()).as_bytes());
        header[257..263].copy_from_slice(b"ustar\0");
        out.extend_from_slice(&header);
        out.extend_from_slice(content);
        out.resize(out.len().next_multiple_of(512), 0);
    }
    out.resize(out.len() + 1024, 0);
    out
}

fn text(random: &mut Rng) -> Vec<u8> {
    fill("one\ntwo\nDB_PASSWORD=<a:20>\nlogin glpat-<a:20>\n", random).into_bytes()
}

#[test]
fn one_file_in_gzip_bzip2_xz_and_zstd_is_searched_as_it_would_be_by_itself() {
    let mut random = Rng::with_seed(1);
    for pack in [gzip, bzip2, xz, zstd] {
        let text = text(&mut random);
        let expected = [("generic", 3, None), ("gitlab-pat", 4, None)];
        assert_eq!(found(&pack(&text)), expected);
        // Again inside another archive, and after another one.
        assert_eq!(found(&gzip(&pack(&text))), expected);
        let twice: Vec<_> =
            found(&[pack(b"none\n"), pack(&text)].concat()).into_iter().map(|(rule, ..)| rule).collect();
        assert_eq!(twice, ["generic", "gitlab-pat"]);
        let key = [&[0xfe, 0xed, 0xfe, 0xed, 0, 0, 0, 2, 0, 0, 0, 1, 0, 0, 0, 1, 0, 1, b'k'][..], &[7; 300]].concat();
        assert_eq!(found(&pack(&key)), [("java-keystore", 1, None)]);
        if pack(&text).windows(10).all(|window| !text.windows(10).any(|other| other == window)) {
            assert_eq!(found(&pack(&pack(&pack(&text)))), [], "as deep as two");
        }
    }
}

#[test]
fn every_file_in_a_zip_and_in_a_tar_is_searched_by_its_name() {
    let mut random = Rng::with_seed(2);
    let [first, second] = [(); 2].map(|()| text(&mut random));
    let env = fill("api_key=<h:8>-<h:4>-<h:4>-<h:4>-<h:12>\n", &mut random);
    let files: [(&str, &[u8]); 4] =
        [("a/b.txt", &first), ("none", b"nothing\n"), ("x/.env", env.as_bytes()), ("b", &second)];
    let named = |name: &str| Some(name.to_owned());
    let expected = [
        ("generic", 3, named("a/b.txt")),
        ("gitlab-pat", 4, named("a/b.txt")),
        ("generic", 1, named("x/.env")),
        ("generic", 3, named("b")),
        ("gitlab-pat", 4, named("b")),
    ];
    type Pack = fn(&[(&str, &[u8])]) -> Vec<u8>;
    let packs: [Pack; 3] = [|files| zip(files, true), |files| zip(files, false), tar];
    for pack in packs {
        assert_eq!(found(&pack(&files)), expected);
        assert_eq!(found(&gzip(&pack(&files))), expected);
    }
    // Data before an archive, such as a program that opens it.
    assert_eq!(found(&[b"#!/bin/sh\nexec me\n", &zip(&files, true)[..]].concat()), []);
    assert_eq!(found(&[b"\x7fELF\0\0\0 PK\x03\x04", &zip(&files, true)[..]].concat()).len(), 0);
}

#[test]
fn what_is_damaged_is_searched_as_far_as_it_goes() {
    let mut random = Rng::with_seed(3);
    let text = text(&mut random);
    let rest = fill("<6:400000>\n", &mut random);
    let long = [&text[..], rest.as_bytes()].concat();
    type Pack = fn(&[u8]) -> Vec<u8>;
    let cut: [Pack; 3] = [gzip, xz, |content| zip(&[("a", content)], true)];
    for pack in cut {
        let whole = pack(&long);
        let rules: Vec<_> = found(&whole[..whole.len() / 2]).into_iter().map(|(rule, ..)| rule).collect();
        assert_eq!(rules, ["generic", "gitlab-pat"]);
    }
    let changed: [Pack; 5] =
        [gzip, xz, zstd, |content| zip(&[("a", content)], false), |content| tar(&[("a", content)])];
    for pack in changed {
        let whole = pack(&long);
        for _ in 0..200 {
            let mut other = whole.clone();
            for _ in 0..3 {
                let at = random.usize(..other.len().min(64));
                other[at] = random.u8(..);
            }
            other.truncate(random.usize(..=other.len()));
            let _ = scan(&other);
        }
    }
}

#[test]
fn attack_20_a_bomb_is_opened_within_bounds_and_is_no_error() {
    let mut random = Rng::with_seed(4);
    let zeros = vec![b' '; 80 << 20];
    let bomb = gzip(&zeros);
    assert_eq!(found(&bomb), []);
    let secret = text(&mut random);
    // The search covers a secret before the limit, but none after it.
    assert_eq!(found(&gzip(&[&secret[..], &zeros].concat())).len(), 2);
    assert_eq!(found(&gzip(&[&zeros[..], &secret].concat())), []);
    // A whole push of them: the last one is not opened any more.
    let scene = Scene::simple();
    for number in 0..6 {
        scene.repo.write(&format!("{number}.gz"), &bomb);
    }
    scene.repo.write("9.gz", gzip(&secret)).commit("bombs");
    let review = scene.review("topic");
    assert!(!review.flags.iter().any(|flag| matches!(flag, Flag::Secret(_))));
}

#[test]
fn attack_19_a_secret_in_an_archive_is_said_with_the_file_within_and_never_itself() {
    let mut random = Rng::with_seed(5);
    let (token, name) = (fill("glpat-<a:20>", &mut random), fill("glpat-<a:20>", &mut random));
    let scene = Scene::simple();
    scene.repo.write("a.jar", zip(&[(&format!("x/{name}"), token.as_bytes())], true)).commit("add");
    let review = scene.review("topic");
    let Some(Flag::Secret(secret)) = review.flags.iter().find(|flag| matches!(flag, Flag::Secret(_))) else {
        panic!("{:?}", review.flags)
    };
    assert_eq!(secret.place, format!("x/{}… in a.jar", &name[..8]));
    let said = format!("{review:?}{}", serde_json::to_string(&review).unwrap());
    assert!(!said.contains(&token));
}

#[test]
fn attack_12_what_is_damaged_is_read_as_far_as_it_goes() {
    let mut random = Rng::with_seed(12);
    let text = text(&mut random).repeat(20);
    let files: [(&str, &[u8]); 2] = [("a", &text), ("b", &text)];
    for packed in
        [gzip(&text), bzip2(&text), xz(&text), zstd(&text), zip(&files, true), zip(&files, false), tar(&files)]
    {
        for _ in 0..100 {
            let mut damaged = packed.clone();
            for _ in 0..random.usize(1..4) {
                let at = random.usize(..damaged.len());
                damaged[at] = random.u8(..);
            }
            damaged.truncate(random.usize(1..=damaged.len()));
            // It only has to terminate.
            scan(&damaged);
        }
    }
}
