//! Files that a model sees rather than reads.

/// The most bytes of a file that is shown whole. Its base64 is below what models take.
pub const MOST: usize = 3 << 20;

/// How a kind of file begins.
const KINDS: [(&[u8], &str); 5] = [
    (b"\x89PNG\r\n\x1a\n", "image/png"),
    (b"\xff\xd8\xff", "image/jpeg"),
    (b"GIF87a", "image/gif"),
    (b"GIF89a", "image/gif"),
    (b"%PDF-", "application/pdf"),
];

/// The media type of an image or a PDF, by how it begins.
pub fn kind(content: &[u8]) -> Option<&'static str> {
    let is_webp = content.starts_with(b"RIFF") && content.get(8..12) == Some(b"WEBP");
    let known = KINDS.into_iter().find(|(begin, _)| content.starts_with(begin)).map(|(_, kind)| kind);
    known.or(is_webp.then_some("image/webp"))
}
