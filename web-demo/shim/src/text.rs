//! Texts of JavaScript in UTF-8.

use js_sys::JsString;
use wasm_bindgen::prelude::wasm_bindgen;

/// Characters. A longer text is encoded by the platform: wasm-bindgen looks at each character of it in
/// JavaScript, which takes three times as long, and 80 ms for a million that nothing has compiled yet.
const SHORT: u32 = 1024;
/// Bytes of UTF-8 that a unit of UTF-16 takes at most.
const WIDEST: usize = 3;

#[wasm_bindgen]
extern "C" {
    type TextEncoder;
    #[wasm_bindgen(constructor)]
    fn new() -> TextEncoder;
    #[wasm_bindgen(method, js_name = encodeInto)]
    fn encode_into(this: &TextEncoder, text: &JsString, into: &mut [u8]) -> Encoded;

    type Encoded;
    /// Units of UTF-16.
    #[wasm_bindgen(method, getter)]
    fn read(this: &Encoded) -> u32;
    /// Bytes.
    #[wasm_bindgen(method, getter)]
    fn written(this: &Encoded) -> u32;
}

/// The text in UTF-8, with U+FFFD for each surrogate that has no other half.
pub fn utf8(text: &JsString) -> String {
    let length = text.length();
    if length <= SHORT {
        return text.into();
    }
    let encoder = TextEncoder::new();
    // Room for ASCII. What goes beyond it is encoded in a second step.
    let mut bytes = vec![0; length as usize];
    let head = encoder.encode_into(text, &mut bytes);
    bytes.truncate(head.written() as usize);
    if head.read() < length {
        let rest = text.slice(head.read(), length);
        let from = bytes.len();
        bytes.resize(from + rest.length() as usize * WIDEST, 0);
        let written = encoder.encode_into(&rest, &mut bytes[from..]).written();
        bytes.truncate(from + written as usize);
    }
    String::from_utf8(bytes).expect("a TextEncoder writes UTF-8")
}
