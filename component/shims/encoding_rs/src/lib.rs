//! `encoding_rs` without the East Asian encodings. Their tables are a twentieth of the component's download, and hardly any repository
//! still uses them. Their names are unknown here, as a name that iconv does not know is to git.
//!
//! Native builds use this crate too, so that tests cover the code in the component. It has only the functions that callers need, and
//! converts whole texts.

mod convert;
pub mod mem;
mod upper;

use std::borrow::Cow;

pub use convert::{Decoder, DecoderResult, Encoder, EncoderResult};
use upper::Upper;

/// How an encoding represents characters as bytes.
#[derive(Debug)]
pub struct Encoding {
    name: &'static str,
    labels: &'static [&'static str],
    form: Form,
}

#[derive(Clone, Copy, Debug)]
enum Form {
    Utf8,
    Utf16(fn([u8; 2]) -> u16),
    /// ASCII in the lower half, these characters in the upper half.
    Single(&'static Upper),
}

/// UTF-8.
pub static UTF_8: &Encoding = &ENCODINGS[0];

/// A name for comparison: git checks round trips for this encoding by default. No label selects it.
pub static SHIFT_JIS: &Encoding = &Encoding { name: "Shift_JIS", labels: &[], form: Form::Utf8 };

/// The names and labels of the Encoding Standard (<https://encoding.spec.whatwg.org/#names-and-labels>).
static ENCODINGS: &[Encoding] = &[
    Encoding {
        name: "UTF-8",
        labels: &["unicode-1-1-utf-8", "unicode11utf8", "unicode20utf8", "utf-8", "utf8", "x-unicode20utf8"],
        form: Form::Utf8,
    },
    Encoding {
        name: "UTF-16LE",
        labels: &["csunicode", "iso-10646-ucs-2", "ucs-2", "unicode", "unicodefeff", "utf-16", "utf-16le"],
        form: Form::Utf16(u16::from_le_bytes),
    },
    Encoding {
        name: "UTF-16BE",
        labels: &["unicodefffe", "utf-16be"],
        form: Form::Utf16(u16::from_be_bytes),
    },
    Encoding {
        name: "IBM866",
        labels: &["866", "cp866", "csibm866", "ibm866"],
        form: Form::Single(&upper::IBM866),
    },
    Encoding {
        name: "ISO-8859-10",
        labels: &["csisolatin6", "iso-8859-10", "iso-ir-157", "iso8859-10", "iso885910", "l6", "latin6"],
        form: Form::Single(&upper::ISO_8859_10),
    },
    Encoding {
        name: "ISO-8859-13",
        labels: &["iso-8859-13", "iso8859-13", "iso885913"],
        form: Form::Single(&upper::ISO_8859_13),
    },
    Encoding {
        name: "ISO-8859-14",
        labels: &["iso-8859-14", "iso8859-14", "iso885914"],
        form: Form::Single(&upper::ISO_8859_14),
    },
    Encoding {
        name: "ISO-8859-15",
        labels: &["csisolatin9", "iso-8859-15", "iso8859-15", "iso885915", "iso_8859-15", "l9"],
        form: Form::Single(&upper::ISO_8859_15),
    },
    Encoding {
        name: "ISO-8859-16",
        labels: &["iso-8859-16"],
        form: Form::Single(&upper::ISO_8859_16),
    },
    Encoding {
        name: "ISO-8859-2",
        labels: &["csisolatin2", "iso-8859-2", "iso-ir-101", "iso8859-2", "iso88592", "iso_8859-2", "iso_8859-2:1987", "l2", "latin2"],
        form: Form::Single(&upper::ISO_8859_2),
    },
    Encoding {
        name: "ISO-8859-3",
        labels: &["csisolatin3", "iso-8859-3", "iso-ir-109", "iso8859-3", "iso88593", "iso_8859-3", "iso_8859-3:1988", "l3", "latin3"],
        form: Form::Single(&upper::ISO_8859_3),
    },
    Encoding {
        name: "ISO-8859-4",
        labels: &["csisolatin4", "iso-8859-4", "iso-ir-110", "iso8859-4", "iso88594", "iso_8859-4", "iso_8859-4:1988", "l4", "latin4"],
        form: Form::Single(&upper::ISO_8859_4),
    },
    Encoding {
        name: "ISO-8859-5",
        labels: &["csisolatincyrillic", "cyrillic", "iso-8859-5", "iso-ir-144", "iso8859-5", "iso88595", "iso_8859-5", "iso_8859-5:1988"],
        form: Form::Single(&upper::ISO_8859_5),
    },
    Encoding {
        name: "ISO-8859-6",
        labels: &["arabic", "asmo-708", "csiso88596e", "csiso88596i", "csisolatinarabic", "ecma-114", "iso-8859-6", "iso-8859-6-e", "iso-8859-6-i", "iso-ir-127", "iso8859-6", "iso88596", "iso_8859-6", "iso_8859-6:1987"],
        form: Form::Single(&upper::ISO_8859_6),
    },
    Encoding {
        name: "ISO-8859-7",
        labels: &["csisolatingreek", "ecma-118", "elot_928", "greek", "greek8", "iso-8859-7", "iso-ir-126", "iso8859-7", "iso88597", "iso_8859-7", "iso_8859-7:1987", "sun_eu_greek"],
        form: Form::Single(&upper::ISO_8859_7),
    },
    Encoding {
        name: "ISO-8859-8",
        labels: &["csiso88598e", "csisolatinhebrew", "hebrew", "iso-8859-8", "iso-8859-8-e", "iso-ir-138", "iso8859-8", "iso88598", "iso_8859-8", "iso_8859-8:1988", "visual"],
        form: Form::Single(&upper::ISO_8859_8),
    },
    Encoding {
        name: "ISO-8859-8-I",
        labels: &["csiso88598i", "iso-8859-8-i", "logical"],
        form: Form::Single(&upper::ISO_8859_8),
    },
    Encoding {
        name: "KOI8-R",
        labels: &["cskoi8r", "koi", "koi8", "koi8-r", "koi8_r"],
        form: Form::Single(&upper::KOI8_R),
    },
    Encoding {
        name: "KOI8-U",
        labels: &["koi8-ru", "koi8-u"],
        form: Form::Single(&upper::KOI8_U),
    },
    Encoding {
        name: "macintosh",
        labels: &["csmacintosh", "mac", "macintosh", "x-mac-roman"],
        form: Form::Single(&upper::MACINTOSH),
    },
    Encoding {
        name: "windows-1250",
        labels: &["cp1250", "windows-1250", "x-cp1250"],
        form: Form::Single(&upper::WINDOWS_1250),
    },
    Encoding {
        name: "windows-1251",
        labels: &["cp1251", "windows-1251", "x-cp1251"],
        form: Form::Single(&upper::WINDOWS_1251),
    },
    Encoding {
        name: "windows-1252",
        labels: &["ansi_x3.4-1968", "ascii", "cp1252", "cp819", "csisolatin1", "ibm819", "iso-8859-1", "iso-ir-100", "iso8859-1", "iso88591", "iso_8859-1", "iso_8859-1:1987", "l1", "latin1", "us-ascii", "windows-1252", "x-cp1252"],
        form: Form::Single(&upper::WINDOWS_1252),
    },
    Encoding {
        name: "windows-1253",
        labels: &["cp1253", "windows-1253", "x-cp1253"],
        form: Form::Single(&upper::WINDOWS_1253),
    },
    Encoding {
        name: "windows-1254",
        labels: &["cp1254", "csisolatin5", "iso-8859-9", "iso-ir-148", "iso8859-9", "iso88599", "iso_8859-9", "iso_8859-9:1989", "l5", "latin5", "windows-1254", "x-cp1254"],
        form: Form::Single(&upper::WINDOWS_1254),
    },
    Encoding {
        name: "windows-1255",
        labels: &["cp1255", "windows-1255", "x-cp1255"],
        form: Form::Single(&upper::WINDOWS_1255),
    },
    Encoding {
        name: "windows-1256",
        labels: &["cp1256", "windows-1256", "x-cp1256"],
        form: Form::Single(&upper::WINDOWS_1256),
    },
    Encoding {
        name: "windows-1257",
        labels: &["cp1257", "windows-1257", "x-cp1257"],
        form: Form::Single(&upper::WINDOWS_1257),
    },
    Encoding {
        name: "windows-1258",
        labels: &["cp1258", "windows-1258", "x-cp1258"],
        form: Form::Single(&upper::WINDOWS_1258),
    },
    Encoding {
        name: "windows-874",
        labels: &["dos-874", "iso-8859-11", "iso8859-11", "iso885911", "tis-620", "windows-874"],
        form: Form::Single(&upper::WINDOWS_874),
    },
    Encoding {
        name: "x-mac-cyrillic",
        labels: &["x-mac-cyrillic", "x-mac-ukrainian"],
        form: Form::Single(&upper::X_MAC_CYRILLIC),
    },
];

impl PartialEq for Encoding {
    fn eq(&self, other: &Encoding) -> bool {
        self.name == other.name
    }
}

impl Eq for Encoding {}

impl Encoding {
    /// The encoding with this label, in any case and with surrounding white space.
    pub fn for_label(label: &[u8]) -> Option<&'static Encoding> {
        let label = label.trim_ascii();
        ENCODINGS.iter().find(|one| one.labels.iter().any(|known| known.as_bytes().eq_ignore_ascii_case(label)))
    }

    /// Its name in the Encoding Standard.
    pub fn name(&self) -> &'static str {
        self.name
    }

    /// The text, or `None` if some bytes are not characters.
    pub fn decode_without_bom_handling_and_without_replacement<'a>(&'static self, bytes: &'a [u8]) -> Option<Cow<'a, str>> {
        match self.form {
            Form::Utf8 => std::str::from_utf8(bytes).ok().map(Cow::Borrowed),
            Form::Utf16(of) => convert::from_utf16(bytes, of).map(Cow::Owned),
            Form::Single(upper) => convert::from_single(bytes, upper).map(Cow::Owned),
        }
    }

    /// The bytes, their encoding, and whether they contain character references for characters that the encoding lacks.
    pub fn encode<'a>(&'static self, text: &'a str) -> (Cow<'a, [u8]>, &'static Encoding, bool) {
        match self.form {
            // The Encoding Standard never encodes to UTF-16.
            Form::Utf8 | Form::Utf16(_) => (Cow::Borrowed(text.as_bytes()), UTF_8, false),
            Form::Single(upper) => {
                let (bytes, has_references) = convert::with_references(text, upper);
                (Cow::Owned(bytes), self, has_references)
            }
        }
    }

    /// Removes a byte order mark of this encoding.
    pub fn new_decoder_with_bom_removal(&'static self) -> Decoder {
        Decoder { encoding: self }
    }

    pub fn new_encoder(&'static self) -> Encoder {
        Encoder { encoding: self }
    }
}
