//! Reads the code of one module, without what only tests compile.

use proc_macro2::{Ident, Span, TokenStream};
use syn::ext::IdentExt as _;
use syn::punctuated::Punctuated;
use syn::visit::{self, Visit};
use syn::{Attribute, ImplItem, Item, Meta, Token, TraitItem, UseTree, Visibility};

use crate::source::{Binding, Call, Glob, Kind, Macro, Mention, Module, ModulePath, Source};
use crate::tokens::Scan;

/// Reads a module, and those that stand in its file in braces.
pub(crate) fn read_module(source: &mut Source, path: ModulePath, file: &str, items: &[Item]) {
    let module = Module { file: file.to_owned(), ..Module::default() };
    let mut reader = Reader { source, path, module, in_attribute: false };
    for item in items {
        reader.read_item(item);
    }
    let Reader { path, module, .. } = reader;
    source.modules.insert(path, module);
}

struct Reader<'a> {
    source: &'a mut Source,
    path: ModulePath,
    module: Module,
    in_attribute: bool,
}

impl Reader<'_> {
    /// Reads an item that stands in the module itself, and not in one of its functions.
    fn read_item(&mut self, item: &Item) {
        let test_only = attrs_of(item).iter().any(is_test_only);
        if let Item::Mod(inner) = item {
            assert!(!inner.attrs.iter().any(|attr| attr.path().is_ident("path")), "{}: #[path]", self.module.file);
            let mut path = self.path.clone();
            path.push(text_of(&inner.ident));
            if test_only {
                self.source.tests.insert(path);
            } else if let Some((_, items)) = &inner.content {
                read_module(self.source, path, &self.module.file, items);
            }
        } else if !test_only {
            if let Some((name, visibility)) = defined_by(item) {
                let scope = self.scope_of(visibility);
                self.bind(text_of(name), Binding::Item { scope });
            }
            self.visit_item(item);
        }
    }

    fn bind(&mut self, name: String, binding: Binding) {
        self.module.names.entry(name).or_default().push(binding);
    }

    /// The module that an item of this visibility is visible in, with all modules below it.
    fn scope_of(&self, visibility: &Visibility) -> ModulePath {
        let mut scope = self.path.clone();
        match visibility {
            Visibility::Public(_) => scope.clear(),
            Visibility::Inherited => {}
            Visibility::Restricted(restricted) => {
                for segment in &restricted.path.segments {
                    match text_of(&segment.ident).as_str() {
                        "crate" => scope.clear(),
                        "self" => {}
                        "super" => _ = scope.pop(),
                        name => scope.push(name.to_owned()),
                    }
                }
            }
        }
        scope
    }

    fn mention(&mut self, kind: Kind, path: Vec<String>, line: usize) {
        self.module.mentions.push(Mention { kind, path, line });
    }

    /// Reads an import's tree, of which `prefix` is already read.
    fn read_use(&mut self, prefix: &[String], tree: &UseTree, scope: &ModulePath) {
        let joined = |ident: &Ident| {
            // `a::{self}` imports `a`
            let own = (ident != "self" || prefix.is_empty()).then(|| text_of(ident));
            prefix.iter().cloned().chain(own).collect::<Vec<_>>()
        };
        match tree {
            UseTree::Path(path) => self.read_use(&joined(&path.ident), &path.tree, scope),
            UseTree::Group(group) => group.items.iter().for_each(|inner| self.read_use(prefix, inner, scope)),
            UseTree::Name(name) => {
                let path = joined(&name.ident);
                let bound = path.last().cloned().unwrap_or_default();
                self.import(path, bound, scope, line_of(name.ident.span()));
            }
            UseTree::Rename(rename) => {
                self.import(joined(&rename.ident), text_of(&rename.rename), scope, line_of(rename.ident.span()));
            }
            UseTree::Glob(glob) => {
                self.module.globs.push(Glob { path: prefix.to_vec(), scope: scope.clone() });
                self.mention(Kind::Glob, prefix.to_vec(), line_of(glob.star_token.spans[0]));
            }
        }
    }

    fn import(&mut self, path: Vec<String>, bound: String, scope: &ModulePath, line: usize) {
        self.bind(bound, Binding::Import { path: path.clone(), scope: scope.clone() });
        self.mention(Kind::Import, path, line);
    }

    /// Takes over what a scan of tokens found.
    fn take(&mut self, scan: Scan) {
        for path in scan.paths {
            self.mention(if path.glob { Kind::Glob } else { Kind::Inline }, path.segments, path.line);
        }
        for (text, line) in scan.texts {
            self.take_text(text, line);
        }
    }

    /// Stores a text. In an attribute the text may be a path, as in `#[serde(with = "crate::text")]`.
    fn take_text(&mut self, text: String, line: usize) {
        if self.in_attribute && text.contains("::") && syn::parse_str::<syn::Path>(&text).is_ok() {
            let segments = text.split("::").map(|segment| segment.trim().to_owned()).collect();
            self.mention(Kind::Inline, segments, line);
        }
        self.module.texts.push((text, line));
    }
}

impl<'ast> Visit<'ast> for Reader<'_> {
    fn visit_item(&mut self, item: &'ast Item) {
        if !attrs_of(item).iter().any(is_test_only) {
            visit::visit_item(self, item);
        }
    }

    fn visit_impl_item(&mut self, item: &'ast ImplItem) {
        let attrs = match item {
            ImplItem::Const(item) => &item.attrs,
            ImplItem::Fn(item) => &item.attrs,
            ImplItem::Type(item) => &item.attrs,
            ImplItem::Macro(item) => &item.attrs,
            _ => return visit::visit_impl_item(self, item),
        };
        if !attrs.iter().any(is_test_only) {
            visit::visit_impl_item(self, item);
        }
    }

    fn visit_trait_item(&mut self, item: &'ast TraitItem) {
        let attrs = match item {
            TraitItem::Const(item) => &item.attrs,
            TraitItem::Fn(item) => &item.attrs,
            TraitItem::Type(item) => &item.attrs,
            TraitItem::Macro(item) => &item.attrs,
            _ => return visit::visit_trait_item(self, item),
        };
        if !attrs.iter().any(is_test_only) {
            visit::visit_trait_item(self, item);
        }
    }

    fn visit_local(&mut self, local: &'ast syn::Local) {
        if !local.attrs.iter().any(is_test_only) {
            visit::visit_local(self, local);
        }
    }

    fn visit_item_mod(&mut self, item: &'ast syn::ItemMod) {
        panic!("{}:{}: a module inside a function", self.module.file, line_of(item.ident.span()));
    }

    fn visit_item_use(&mut self, item: &'ast syn::ItemUse) {
        let prefix: &[String] = if item.leading_colon.is_some() { &[String::new()] } else { &[] };
        let scope = self.scope_of(&item.vis);
        self.read_use(prefix, &item.tree, &scope);
    }

    fn visit_item_extern_crate(&mut self, item: &'ast syn::ItemExternCrate) {
        let name = item.rename.as_ref().map_or(&item.ident, |(_, name)| name);
        let path =
            if item.ident == "self" { vec!["crate".to_owned()] } else { vec![String::new(), text_of(&item.ident)] };
        let scope = self.scope_of(&item.vis);
        self.import(path, text_of(name), &scope, line_of(item.ident.span()));
    }

    fn visit_item_macro(&mut self, item: &'ast syn::ItemMacro) {
        let Some(name) = &item.ident else { return visit::visit_item_macro(self, item) };
        let scan = Scan::of(item.mac.tokens.clone());
        let (module, path_from_variable) = (self.path.clone(), scan.path_from_variable);
        self.source.macros.push(Macro { name: text_of(name), module, path_from_variable });
        self.bind(text_of(name), Binding::Item { scope: self.path.clone() });
        self.take(scan);
    }

    fn visit_macro(&mut self, call: &'ast syn::Macro) {
        let scan = Scan::of(call.tokens.clone());
        match call.path.get_ident() {
            None => self.visit_path(&call.path),
            Some(name) => {
                let arguments = scan.names.clone();
                self.module.calls.push(Call { name: text_of(name), arguments, line: line_of(name.span()) });
            }
        }
        self.take(scan);
    }

    fn visit_attribute(&mut self, attr: &'ast Attribute) {
        if !attr.path().is_ident("doc") {
            self.in_attribute = true;
            visit::visit_attribute(self, attr);
            self.in_attribute = false;
        }
    }

    /// Reads the tokens of attributes, and the tokens that the parser does not know.
    fn visit_token_stream(&mut self, tokens: &'ast TokenStream) {
        self.take(Scan::of(tokens.clone()));
    }

    /// A visibility such as `pub(in crate::level)` uses nothing.
    fn visit_vis_restricted(&mut self, _: &'ast syn::VisRestricted) {}

    fn visit_path(&mut self, path: &'ast syn::Path) {
        let root = path.leading_colon.as_ref().map(|_| String::new());
        let segments: Vec<_> = root.into_iter().chain(path.segments.iter().map(|part| text_of(&part.ident))).collect();
        if segments.len() > 1 {
            self.mention(Kind::Inline, segments, path.segments.first().map_or(0, |part| line_of(part.ident.span())));
        }
        // generic arguments hold more paths
        visit::visit_path(self, path);
    }

    fn visit_lit_str(&mut self, text: &'ast syn::LitStr) {
        self.take_text(text.value(), line_of(text.span()));
    }

    fn visit_lit_byte_str(&mut self, text: &'ast syn::LitByteStr) {
        self.take_text(String::from_utf8_lossy(&text.value()).into_owned(), line_of(text.span()));
    }
}

/// The name without the `r#` of a raw identifier.
fn text_of(ident: &Ident) -> String {
    ident.unraw().to_string()
}

fn line_of(span: Span) -> usize {
    span.start().line
}

/// The name that an item defines in its module, and its visibility.
const fn defined_by(item: &Item) -> Option<(&Ident, &Visibility)> {
    match item {
        Item::Const(item) => Some((&item.ident, &item.vis)),
        Item::Enum(item) => Some((&item.ident, &item.vis)),
        Item::Fn(item) => Some((&item.sig.ident, &item.vis)),
        Item::Static(item) => Some((&item.ident, &item.vis)),
        Item::Struct(item) => Some((&item.ident, &item.vis)),
        Item::Trait(item) => Some((&item.ident, &item.vis)),
        Item::TraitAlias(item) => Some((&item.ident, &item.vis)),
        Item::Type(item) => Some((&item.ident, &item.vis)),
        Item::Union(item) => Some((&item.ident, &item.vis)),
        _ => None,
    }
}

fn attrs_of(item: &Item) -> &[Attribute] {
    match item {
        Item::Const(item) => &item.attrs,
        Item::Enum(item) => &item.attrs,
        Item::ExternCrate(item) => &item.attrs,
        Item::Fn(item) => &item.attrs,
        Item::ForeignMod(item) => &item.attrs,
        Item::Impl(item) => &item.attrs,
        Item::Macro(item) => &item.attrs,
        Item::Mod(item) => &item.attrs,
        Item::Static(item) => &item.attrs,
        Item::Struct(item) => &item.attrs,
        Item::Trait(item) => &item.attrs,
        Item::TraitAlias(item) => &item.attrs,
        Item::Type(item) => &item.attrs,
        Item::Union(item) => &item.attrs,
        Item::Use(item) => &item.attrs,
        _ => &[],
    }
}

/// Whether an attribute makes an item compile in tests only: `#[test]`, `#[cfg(test)]`, `#[cfg(all(test, unix))]`.
pub(crate) fn is_test_only(attr: &Attribute) -> bool {
    attr.path().is_ident("test") || (attr.path().is_ident("cfg") && needs_test(&attr.meta))
}

/// Whether the condition holds in tests only.
fn needs_test(condition: &Meta) -> bool {
    let Meta::List(list) = condition else { return condition.path().is_ident("test") };
    let parts = list.parse_args_with(Punctuated::<Meta, Token![,]>::parse_terminated).unwrap_or_default();
    if list.path.is_ident("cfg") || list.path.is_ident("all") {
        parts.iter().any(needs_test)
    } else {
        list.path.is_ident("any") && !parts.is_empty() && parts.iter().all(needs_test)
    }
}
