//! Disjoint sets in one slice of links. Each set is a tree, and each member has one word, so that a step of [`find`]
//! reads a single word. The word of a root is [`ROOT`] plus the size of its set; the word of any other member is the
//! index of another member, nearer to the root.

/// The bit that marks the word of a root.
pub(crate) const ROOT: u32 = 1 << 31;

/// The word of a root that is the only member of its set.
pub(crate) const SINGLE: u32 = ROOT | 1;

/// The root of a member's set, and the word of the root.
#[inline]
pub(crate) fn find(links: &mut [u32], member: u32) -> (u32, u32) {
    let mut index = member;
    loop {
        let link = links[index as usize];
        if link >= ROOT {
            return (index, link);
        }
        let next = links[link as usize];
        if next >= ROOT {
            return (link, next);
        }
        links[index as usize] = next;
        // the member itself moves up with every step, because it will be looked up again: kruskal gains 3 % by this
        links[member as usize] = next;
        index = next;
    }
}

/// Joins the sets of two different roots, given as [`find`] returns them.
#[inline]
pub(crate) fn union(links: &mut [u32], a: (u32, u32), b: (u32, u32)) {
    let (small, large) = if a.1 < b.1 { (a, b) } else { (b, a) };
    links[small.0 as usize] = large.0;
    links[large.0 as usize] = large.1 + (small.1 ^ ROOT);
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sets_have_the_right_members_and_sizes() {
        let mut links = vec![SINGLE; 100];
        for (a, b) in (0..100).flat_map(|a| (a + 1..100).map(move |b| (a, b))).filter(|(a, b)| a % 7 == b % 7) {
            let (a, b) = (find(&mut links, a), find(&mut links, b));
            if a.0 != b.0 {
                union(&mut links, a, b);
            }
        }
        for member in 0..100 {
            let (root, held) = find(&mut links, member);
            assert_eq!(root % 7, member % 7);
            assert_eq!(held ^ ROOT, if member % 7 < 2 { 15 } else { 14 });
        }
    }
}
