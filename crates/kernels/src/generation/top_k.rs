//! The largest of many numbers, with PyTorch's order of equal ones.
//!
//! `torch.topk` on a CPU leaves the order of equal values to the C++ library's `partial_sort`, or `nth_element` and
//! `sort`, which compare only values. If two continuations of a text are equally likely, that order decides which one
//! is followed. So this code takes the same steps as GNU's library, which PyTorch's Linux builds use. Lists of distinct
//! values come out sorted, regardless of the steps.

/// A value and its index in the list.
type Item = (f32, usize);

/// Lists with fewer than this many items per wanted one are partitioned; longer ones use a heap.
const ITEMS_PER_WANTED: usize = 64;

/// Lists of at most this length are sorted by insertion alone.
const SHORT: usize = 16;

/// The indices of the `k` largest values, largest first; of all values if there are fewer. No value may be NaN.
pub fn top_k(values: &[f32], k: usize) -> Vec<usize> {
    let k = k.min(values.len());
    if k == 0 {
        return Vec::new();
    }
    let mut items = values.iter().copied().zip(0..);
    let items = if k * ITEMS_PER_WANTED <= values.len() {
        let mut heap: Vec<Item> = items.by_ref().take(k).collect();
        make_heap(&mut heap);
        for item in items {
            if before(item, heap[0]) {
                sift(&mut heap, 0, item);
            }
        }
        sort_heap(&mut heap);
        heap
    } else {
        let mut items: Vec<Item> = items.collect();
        select(&mut items, k - 1);
        sort(&mut items[..k - 1]);
        items.truncate(k);
        items
    };
    items.into_iter().map(|(_, place)| place).collect()
}

/// Does `a` come before `b`, judged by value alone?
fn before(a: Item, b: Item) -> bool {
    a.0 > b.0
}

/// Arranges items so that none comes after its parent; the one that comes last in the order is the first in the list.
fn make_heap(heap: &mut [Item]) {
    for parent in (0..heap.len() / 2).rev() {
        sift(heap, parent, heap[parent]);
    }
}

/// Replaces the item at `hole`: moves the hole down to a leaf, and the item up from there.
fn sift(heap: &mut [Item], mut hole: usize, item: Item) {
    let (top, n) = (hole, heap.len());
    while 2 * hole + 2 < n {
        let right = 2 * hole + 2;
        let child = if before(heap[right], heap[right - 1]) {
            right - 1
        } else {
            right
        };
        heap[hole] = heap[child];
        hole = child;
    }
    if 2 * hole + 2 == n {
        heap[hole] = heap[n - 1];
        hole = n - 1;
    }
    while hole > top && before(heap[(hole - 1) / 2], item) {
        heap[hole] = heap[(hole - 1) / 2];
        hole = (hole - 1) / 2;
    }
    heap[hole] = item;
}

/// Turns a heap into a sorted list.
fn sort_heap(heap: &mut [Item]) {
    for last in (1..heap.len()).rev() {
        let item = heap[last];
        heap[last] = heap[0];
        sift(&mut heap[..last], 0, item);
    }
}

/// Twice the binary logarithm of `n`: how often a list is split before a heap takes over.
fn depth_limit(n: usize) -> u32 {
    2 * n.checked_ilog2().unwrap_or(0)
}

/// Moves the item that belongs at `nth` there, and all items that come before it in front of it.
fn select(items: &mut [Item], nth: usize) {
    let (mut first, mut last) = (0, items.len());
    let mut depth = depth_limit(last);
    while last - first > 3 {
        if depth == 0 {
            let (heap, rest) = items[first..last].split_at_mut(nth + 1 - first);
            make_heap(heap);
            for item in rest {
                if before(*item, heap[0]) {
                    let smaller = std::mem::replace(item, heap[0]);
                    sift(heap, 0, smaller);
                }
            }
            items.swap(first, nth);
            return;
        }
        depth -= 1;
        let cut = first + part(&mut items[first..last]);
        if cut <= nth {
            first = cut;
        } else {
            last = cut;
        }
    }
    insert_all(&mut items[first..last]);
}

fn sort(items: &mut [Item]) {
    sort_roughly(items, depth_limit(items.len()));
    let (head, _) = items.split_at_mut(items.len().min(SHORT));
    insert_all(head);
    for place in SHORT..items.len() {
        insert(items, place);
    }
}

/// Splits the list until only short lists in the right order remain.
fn sort_roughly(mut items: &mut [Item], mut depth: u32) {
    while items.len() > SHORT {
        if depth == 0 {
            make_heap(items);
            sort_heap(items);
            return;
        }
        depth -= 1;
        let cut = part(items);
        let (head, tail) = items.split_at_mut(cut);
        sort_roughly(tail, depth);
        items = head;
    }
}

/// Splits a list of more than three items at the median of three, which goes to the front. Returns a position such that
/// items that come before the median are before it.
fn part(items: &mut [Item]) -> usize {
    let (a, b, c) = (1, items.len() / 2, items.len() - 1);
    let comes_before = |x: usize, y: usize| before(items[x], items[y]);
    let median = if comes_before(a, b) {
        if comes_before(b, c) {
            b
        } else if comes_before(a, c) {
            c
        } else {
            a
        }
    } else if comes_before(a, c) {
        a
    } else if comes_before(b, c) {
        c
    } else {
        b
    };
    items.swap(0, median);
    let pivot = items[0];
    let (mut first, mut last) = (1, items.len());
    loop {
        while before(items[first], pivot) {
            first += 1;
        }
        last -= 1;
        while before(pivot, items[last]) {
            last -= 1;
        }
        if first >= last {
            return first;
        }
        items.swap(first, last);
        first += 1;
    }
}

/// Sorts by insertion; equal values keep their order.
fn insert_all(items: &mut [Item]) {
    for place in 1..items.len() {
        insert(items, place);
    }
}

/// Moves an item forward, past all items that come after it.
fn insert(items: &mut [Item], mut place: usize) {
    let item = items[place];
    while place > 0 && before(item, items[place - 1]) {
        items[place] = items[place - 1];
        place -= 1;
    }
    items[place] = item;
}
