//! What a file's name says about its content.

use bstr::{BStr, ByteSlice};

use crate::look;

/// The expected content of a file with such a name.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Named {
    /// Text for people.
    Prose,
    /// Text that programs read.
    Source,
    /// Not text.
    Binary,
    /// The name does not say.
    Unknown,
}

/// Endings of text for people.
const PROSE: &str = " md markdown mdown mkd txt text rst adoc asciidoc org tex latex bib po pot xlf xliff arb srt vtt sub csv tsv rtf log nfo wiki textile pod ";

/// Endings of text for programs, and names of such files without an ending.
const SOURCE: &str = " rs c h cc cpp cxx hh hpp hxx inl ipp m mm cs csx vb fs fsx fsi java kt kts scala sc groovy gradle clj cljs cljc edn go py \
    pyi pyx pxd pyw rb erb rake gemspec php phtml php3 php4 php5 php7 phps inc js mjs cjs jsx ts mts cts tsx mdx html htm xhtml vue svelte astro coffee css scss \
    sass less styl json json5 jsonc jsonl ndjson geojson webmanifest yaml yml toml ini cfg conf config cnf properties props targets env xml xsl \
    xslt xsd dtd svg wsdl plist csproj vbproj fsproj vcxproj sln proj sh bash zsh fish ksh csh tcsh command bat cmd ps1 psm1 psd1 ps1xml vbs \
    vbe wsf hta reg inf sql psql plsql graphql gql proto thrift avsc lua pl pm t tcl r jl dart swift zig nim nims v vhd vhdl sv svh d pas pp \
    dpr lpr ada adb ads f f77 f90 f95 for cob cbl lisp lsp cl el scm ss rkt hs lhs ml mli erl hrl ex exs eex heex elm purs nix tf tfvars hcl \
    bicep rego cue dhall bzl bazel star mk mak make cmake am ac m4 in ninja gn gni gyp gypi dockerfile containerfile asm s wat wast sol vy \
    cairo move glsl vert frag hlsl wgsl metal cu cuh cl ipynb http rest feature gitignore gitattributes gitmodules gitconfig editorconfig \
    dockerignore npmrc yarnrc npmignore eslintrc prettierrc babelrc bashrc zshrc profile vimrc envrc htaccess lock sum mod work service socket \
    timer mount desktop rules pem crt csr pub asc patch diff resx strings xaml axaml storyboard xib pbxproj entitlements xcconfig podspec \
    rc idl odl def jsp jspx asp aspx ascx ashx asmx cshtml razor cfm cfc ejs hbs mustache handlebars pug jade haml slim liquid twig njk jinja \
    jinja2 j2 tmpl tpl makefile gnumakefile rakefile gemfile jenkinsfile vagrantfile procfile justfile brewfile podfile fastfile capfile \
    guardfile dangerfile buildfile build workspace configure gradlew mvnw license licence copying authors changelog readme notice codeowners ";

/// Endings of files that are not text.
const BINARY: &str = " png apng jpg jpeg jpe jfif gif bmp ico icns cur webp avif heic heif tif tiff psd xcf ai eps raw cr2 nef dng exr hdr tga dds \
    ktx ktx2 pdf ps djvu epub mobi doc docx xls xlsx ppt pptx odt ods odp pages numbers zip gz tgz bz2 tbz2 xz txz zst lz lz4 lzma 7z rar tar \
    cab iso dmg img deb rpm apk aab ipa jar war ear aar nupkg whl egg gem crate crx xpi vsix appimage msi exe dll so dylib a lib o obj ko sys \
    efi elf bin com wasm class dex pyc pyo pyd beam node rlib rmeta pdb ilk woff woff2 ttf otf ttc eot pfb mp3 m4a aac ogg oga opus flac wav \
    aif aiff mid midi wma mp4 m4v mov avi mkv webm ogv wmv flv mpg mpeg 3gp swf sqlite sqlite3 db db3 mdb accdb dat idx pack rev bitmap \
    parquet orc avro arrow feather npy npz pkl pickle h5 hdf5 mat pt pth onnx pb tflite safetensors gguf ckpt model blend fbx glb 3ds \
    max stl ply usdz unity3d unitypackage asset uasset pak nib mo gmo jks keystore p12 pfx der cer kdb kdbx gpg pgp sig bundle snap \
    swp lnk icc icm cdr sketch fig xd dwg dwf bsp wad rom nes gba sav torrent pcap pcapng dmp core trace tzif ";

/// What the name of the file at `path` says. Ignores case, and anything that filesystems drop from a name.
pub(crate) fn named(path: &BStr) -> Named {
    let name = look::fold(path.rsplit_once_str("/").map_or(path.as_bytes(), |(_, name)| name));
    let ending = name.rsplit_once('.').map(|(_, end)| end);
    let is_in = |list: &str, end: &str| !end.is_empty() && list.split(' ').any(|known| known == end);
    // Text files may have no ending; then the name decides.
    let end = ending.unwrap_or(&name);
    if is_in(PROSE, end) {
        Named::Prose
    } else if is_in(SOURCE, end) || name.starts_with("dockerfile") || name.starts_with(".env") {
        Named::Source
    } else if ending.is_some_and(|end| is_in(BINARY, end)) {
        Named::Binary
    } else {
        Named::Unknown
    }
}
