//! Options of `jq`, which it reads in its own way: they may be anywhere, and long ones have their values in the next
//! arguments.

use bstr::{BString, ByteSlice};

use super::inputs::Shape;
use super::read;
use super::value::Val;
use super::write::Style;

/// A variable, and where its value comes from.
#[derive(Debug)]
pub enum Named {
    Value(Val),
    /// All values of a file.
    Slurped(BString),
    /// The text of a file.
    Raw(BString),
}

/// How results are separated.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Ends {
    Line,
    Nothing,
    Null,
}

/// What is to be done.
#[derive(Debug)]
pub struct Options {
    pub program: Option<BString>,
    /// Whether the program is the name of a file.
    pub from_file: bool,
    pub files: Vec<BString>,
    pub no_input: bool,
    pub shape: Shape,
    pub style: Style,
    /// Whether strings are printed as they are.
    pub raw: bool,
    pub ends: Ends,
    /// Whether the status tells about the last result.
    pub tells: bool,
    pub named: Vec<(String, Named)>,
    pub positional: Vec<Val>,
    pub help: bool,
    pub version: bool,
}

/// What follows that is no option.
#[derive(Clone, Copy)]
enum Rest {
    Files,
    Texts,
    Values,
}

struct Reader<'a> {
    options: Options,
    args: std::slice::Iter<'a, BString>,
    rest: Rest,
}

/// Reads arguments. What is wrong with them is told.
pub fn read(args: &[BString]) -> Result<Options, String> {
    let options = Options {
        program: None,
        from_file: false,
        files: Vec::new(),
        no_input: false,
        shape: Shape::default(),
        style: Style { indent: Some("  ".to_owned()), ..Style::default() },
        raw: false,
        ends: Ends::Line,
        tells: false,
        named: Vec::new(),
        positional: Vec::new(),
        help: false,
        version: false,
    };
    let mut reader = Reader { options, args: args.iter(), rest: Rest::Files };
    let mut all_operands = false;
    while let Some(arg) = reader.args.next() {
        if all_operands || !arg.starts_with(b"-") || arg == "-" {
            reader.operand(arg)?;
        } else if arg == "--" {
            all_operands = true;
        } else if let Some(long) = arg.strip_prefix(b"--") {
            reader.long(&long.to_str_lossy())?;
        } else {
            for letter in arg[1..].to_str_lossy().chars() {
                reader.short(letter).ok_or_else(|| format!("Unknown option {arg}"))??;
            }
        }
    }
    Ok(reader.options)
}

impl Reader<'_> {
    fn operand(&mut self, arg: &BString) -> Result<(), String> {
        if self.options.program.is_none() {
            self.options.program = Some(arg.clone());
            return Ok(());
        }
        match self.rest {
            Rest::Files => self.options.files.push(arg.clone()),
            Rest::Texts => self.options.positional.push(Val::text(arg.to_str_lossy())),
            Rest::Values => {
                let value = read::single(&arg.to_str_lossy());
                self.options.positional.push(value.map_err(|_| "invalid JSON text passed to --jsonargs".to_owned())?);
            }
        }
        Ok(())
    }

    fn short(&mut self, letter: char) -> Option<Result<(), String>> {
        let options = &mut self.options;
        match letter {
            'n' => options.no_input = true,
            'r' => options.raw = true,
            'j' => (options.raw, options.ends) = (true, Ends::Nothing),
            'a' => options.style.ascii = true,
            'c' => options.style.indent = None,
            's' => options.shape.slurps = true,
            'R' => options.shape.raw = true,
            'e' => options.tells = true,
            'S' => options.style.sorts = true,
            'M' => options.style.colours = false,
            'C' => options.style.colours = true,
            'f' => options.from_file = true,
            'h' => options.help = true,
            'V' => options.version = true,
            'L' => return Some(Err("there are no modules here, so -L has no use".to_owned())),
            _ => return None,
        }
        Some(Ok(()))
    }

    fn long(&mut self, name: &str) -> Result<(), String> {
        let letter = match name {
            "null-input" => 'n',
            "raw-output" => 'r',
            "join-output" => 'j',
            "ascii-output" => 'a',
            "compact-output" => 'c',
            "slurp" => 's',
            "raw-input" => 'R',
            "exit-status" => 'e',
            "sort-keys" => 'S',
            "monochrome-output" => 'M',
            "color-output" => 'C',
            "from-file" => 'f',
            "help" => 'h',
            "version" => 'V',
            name => return self.only_long(name),
        };
        self.short(letter).unwrap_or(Ok(()))
    }

    fn only_long(&mut self, name: &str) -> Result<(), String> {
        match name {
            "tab" => self.options.style.indent = Some("\t".to_owned()),
            "indent" => self.indent()?,
            "stream" => self.options.shape.streams = true,
            "raw-output0" => (self.options.raw, self.options.ends) = (true, Ends::Null),
            "unbuffered" => (),
            "args" => self.rest = Rest::Texts,
            "jsonargs" => self.rest = Rest::Values,
            "arg" => {
                let (name, text) = self.two("arg", "value")?;
                self.name(name, Named::Value(Val::text(text.to_str_lossy())));
            }
            "argjson" => {
                let (name, text) = self.two("argjson", "text")?;
                let value = read::single(&text.to_str_lossy());
                let value = value.map_err(|_| "invalid JSON text passed to --argjson".to_owned())?;
                self.name(name, Named::Value(value));
            }
            "slurpfile" => {
                let (name, file) = self.two("slurpfile", "filename")?;
                self.name(name, Named::Slurped(file));
            }
            "rawfile" => {
                let (name, file) = self.two("rawfile", "filename")?;
                self.name(name, Named::Raw(file));
            }
            name => return Err(format!("Unknown option --{name}")),
        }
        Ok(())
    }

    fn indent(&mut self) -> Result<(), String> {
        let count = self.args.next().ok_or("--indent takes one parameter")?;
        let count = count.to_str_lossy().parse::<i32>().unwrap_or(0);
        self.options.style.indent = match count {
            -1 => Some("\t".to_owned()),
            0 => None,
            1..=7 => Some(" ".repeat(count.unsigned_abs() as usize)),
            _ => return Err("--indent takes a number between -1 and 7".to_owned()),
        };
        Ok(())
    }

    fn two(&mut self, option: &str, value: &str) -> Result<(BString, BString), String> {
        match (self.args.next(), self.args.next()) {
            (Some(one), Some(other)) => Ok((one.clone(), other.clone())),
            _ => Err(format!("--{option} takes two parameters (e.g. --{option} varname {value})")),
        }
    }

    /// Names a value. The first of a name stays.
    fn name(&mut self, name: BString, named: Named) {
        let name = name.to_str_lossy().into_owned();
        if !self.options.named.iter().any(|(known, _)| *known == name) {
            self.options.named.push((name, named));
        }
    }
}
