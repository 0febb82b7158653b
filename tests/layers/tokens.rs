//! Finds paths and texts in tokens that have no syntax tree: the arguments of macros and attributes, and the bodies of
//! `macro_rules!`.

use proc_macro2::{Delimiter, Literal, TokenStream, TokenTree};
use syn::Lit;
use syn::ext::IdentExt as _;

/// What a sequence of tokens mentions.
#[derive(Default)]
pub(crate) struct Scan {
    /// The paths of two segments and more.
    pub(crate) paths: Vec<TokenPath>,
    /// The names that stand alone, and their lines.
    pub(crate) names: Vec<(String, usize)>,
    /// The values of the string literals, and their lines.
    pub(crate) texts: Vec<(String, usize)>,
    /// Whether a path begins with a variable of the macro, as in `$name::TABLE`.
    pub(crate) path_from_variable: bool,
}

/// A path in tokens.
pub(crate) struct TokenPath {
    /// Its segments; the first one is empty where the path begins with `::`.
    pub(crate) segments: Vec<String>,
    /// Whether it ends with `::*`.
    pub(crate) glob: bool,
    pub(crate) line: usize,
}

impl Scan {
    /// Reads all tokens, those inside brackets included.
    pub(crate) fn of(tokens: TokenStream) -> Self {
        let mut scan = Self::default();
        scan.read_stream(tokens);
        scan
    }

    fn read_stream(&mut self, tokens: TokenStream) {
        let trees: Vec<TokenTree> = tokens.into_iter().collect();
        let mut at = 0;
        while at < trees.len() {
            at = self.read_at(&trees, at);
        }
    }

    /// Reads what begins at a token, and returns the index of the token behind it.
    fn read_at(&mut self, trees: &[TokenTree], at: usize) -> usize {
        match &trees[at] {
            TokenTree::Group(group) => {
                self.read_stream(group.stream());
                at + 1
            }
            TokenTree::Literal(literal) => {
                let line = literal.span().start().line;
                self.texts.extend(text_of(literal.clone()).map(|text| (text, line)));
                at + 1
            }
            TokenTree::Ident(_) => self.read_path(Vec::new(), trees, at),
            TokenTree::Punct(mark) if mark.as_char() == '$' => self.read_variable(trees, at),
            TokenTree::Punct(_) if colons_at(trees, at) => self.read_path(vec![String::new()], trees, at + 2),
            TokenTree::Punct(_) => at + 1,
        }
    }

    /// Reads `$name`, and notes whether a path goes on from there. `$crate` is read as `crate`.
    fn read_variable(&mut self, trees: &[TokenTree], at: usize) -> usize {
        match trees.get(at + 1) {
            Some(TokenTree::Ident(name)) if name != "crate" => {
                let path = colons_at(trees, at + 2);
                self.path_from_variable |= path;
                if path { at + 4 } else { at + 2 }
            }
            _ => at + 1,
        }
    }

    /// Reads the rest of a path that begins with `segments`, and the paths in braces, as in an import.
    fn read_path(&mut self, mut segments: Vec<String>, trees: &[TokenTree], mut at: usize) -> usize {
        let line = trees.get(at).map_or(0, |tree| tree.span().start().line);
        let mut glob = false;
        loop {
            match trees.get(at) {
                Some(TokenTree::Ident(name)) => segments.push(name.unraw().to_string()),
                Some(TokenTree::Group(group)) if group.delimiter() == Delimiter::Brace && !segments.is_empty() => {
                    let inner: Vec<TokenTree> = group.stream().into_iter().collect();
                    for part in inner.split(|tree| is_mark(Some(tree), ',')).filter(|part| !part.is_empty()) {
                        self.read_path(segments.clone(), part, 0);
                    }
                    return at + 1;
                }
                tree if is_mark(tree, '*') => {
                    glob = true;
                    at += 1;
                    break;
                }
                _ => break,
            }
            at += 1;
            if !colons_at(trees, at) {
                break;
            }
            at += 2;
        }
        match segments.as_slice() {
            [name] if !glob => self.names.push((name.clone(), line)),
            _ => self.paths.push(TokenPath { segments, glob, line }),
        }
        at
    }
}

/// The value of a literal that is a text.
fn text_of(literal: Literal) -> Option<String> {
    match Lit::new(literal) {
        Lit::Str(text) => Some(text.value()),
        Lit::ByteStr(text) => Some(String::from_utf8_lossy(&text.value()).into_owned()),
        _ => None,
    }
}

fn is_mark(tree: Option<&TokenTree>, mark: char) -> bool {
    matches!(tree, Some(TokenTree::Punct(punct)) if punct.as_char() == mark)
}

/// Whether `::` stands at an index.
fn colons_at(trees: &[TokenTree], at: usize) -> bool {
    is_mark(trees.get(at), ':') && is_mark(trees.get(at + 1), ':')
}
