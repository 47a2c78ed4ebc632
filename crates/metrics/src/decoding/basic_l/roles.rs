//! The roles of names: objects, parts of objects, background.

use super::options::{BasicLOptions, CategoriesFrom};
use neurogauge_core::{Categorisation, Masks};
use std::collections::{BTreeMap, BTreeSet};

/// The role of the masks of a name.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(super) struct Role {
    pub(super) object: bool,
    pub(super) part: bool,
    pub(super) background: bool,
}

/// Roles by name, in the order of names.
pub(super) struct Roles(BTreeMap<String, Role>);

/// A name in the form in which names are compared: case, surrounding spaces and underscores do not matter.
pub(super) fn normalised(name: &str) -> String {
    let words = name.split(|c: char| c.is_whitespace() || c == '_');
    words.filter(|word| !word.is_empty()).collect::<Vec<_>>().join(" ").to_lowercase()
}

impl Roles {
    /// The reference's categories and, if they count, the reconstruction's for names that the reference lacks. Without
    /// categories, all names are objects.
    pub(super) fn of(gt: &Masks, recon: &Masks, from: CategoriesFrom) -> Self {
        let own = match from {
            CategoriesFrom::Both => recon.categories.as_ref(),
            CategoriesFrom::Reference => None,
        };
        let given: Vec<&Categorisation> = gt.categories.iter().chain(own).collect();
        if given.is_empty() {
            let of_gt = gt.items.iter();
            let of_recon = recon.items.iter().filter(|_| from == CategoriesFrom::Both);
            let object = Role {
                object: true,
                ..Role::default()
            };
            let names = of_gt.chain(of_recon).map(|item| normalised(&item.name));
            return Roles(names.map(|name| (name, object)).collect());
        }
        let mut roles = BTreeMap::new();
        for categories in given {
            for (name, role) in roles_of(categories) {
                roles.entry(name).or_insert(role);
            }
        }
        Roles(roles)
    }

    /// All names, in the order of their numbers.
    pub(super) fn names(&self) -> Vec<String> {
        self.0.keys().cloned().collect()
    }

    /// The number of a name, and its role; `None` for a name in no list.
    pub(super) fn find(&self, name: &str) -> Option<(usize, Role)> {
        let name = normalised(name);
        let role = *self.0.get(&name)?;
        Some((self.0.range(..name).count(), role))
    }
}

/// A name can be both an object and a part (a door), but an object is never background.
fn roles_of(categories: &Categorisation) -> BTreeMap<String, Role> {
    let mut roles: BTreeMap<String, Role> = BTreeMap::new();
    for object in &categories.foreground {
        roles.entry(normalised(&object.name)).or_default().object = true;
        for part in &object.parts {
            roles.entry(normalised(part)).or_default().part = true;
        }
    }
    for element in &categories.background {
        let role = roles.entry(normalised(&element.name)).or_default();
        role.background = !role.object;
    }
    roles
}

/// Distinct names of masks that are in none of the lists of categories that count: such masks count at no level. If
/// only the reference's categories count, names of the reconstruction are not checked.
pub fn names_at_no_level(gt: &Masks, recon: &Masks, options: &BasicLOptions) -> BTreeSet<String> {
    let roles = Roles::of(gt, recon, options.categories);
    let of_recon = match options.categories {
        CategoriesFrom::Both => &recon.items[..],
        CategoriesFrom::Reference => &[],
    };
    let names = gt.items.iter().chain(of_recon).map(|item| &item.name);
    names.filter(|name| roles.find(name).is_none()).map(|name| name.trim().to_owned()).collect()
}
