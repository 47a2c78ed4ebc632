//! Where the values of a stack of images are: one array, the tensors of a list, or an HDF5 dataset.

use super::brick::Brick;
use super::folder;
use super::stack_layout::StackLayout;
use crate::element::ElementType;
use crate::member::split_member;
use crate::pt::{self, PtContent, PtEntry};
use crate::stored_array::StoredArray;
use crate::{AtPath, FormatError, Problem, mat, npy, npz, pickle};
use neurogauge_core::first_names;
use std::collections::HashSet;
use std::path::Path;

/// The location of a stack's values.
#[derive(Debug)]
pub(super) enum StackArray {
    Stored(StoredArray),
    List(TensorList),
    Hdf5(Brick),
}

/// Images, or batches of images, that follow each other.
#[derive(Debug)]
pub(super) struct TensorList {
    tensors: Vec<StoredArray>,
    /// Is each tensor a picture, and do their sizes differ?
    has_sizes: bool,
    /// The number of the first image of each tensor.
    starts: Vec<u64>,
    /// (n images, ...) of all together, with the size of the first.
    shape: Vec<u64>,
}

/// A stack that was found in a file.
pub(super) struct FoundStack {
    pub(super) array: StackArray,
    /// Do the channels come first if both readings fit?
    pub(super) channels_first: bool,
    /// The names of the images, and the key of the list that has them.
    pub(super) names: Option<(String, Vec<String>)>,
}

impl StackArray {
    pub(super) fn path(&self) -> &Path {
        match self {
            StackArray::Stored(array) => array.path(),
            StackArray::List(list) => list.tensors[0].path(),
            StackArray::Hdf5(brick) => brick.path(),
        }
    }

    pub(super) fn shape(&self) -> &[u64] {
        match self {
            StackArray::Stored(array) => array.shape(),
            StackArray::List(list) => &list.shape,
            StackArray::Hdf5(brick) => brick.shape(),
        }
    }

    pub(super) fn element_type(&self) -> ElementType {
        match self {
            StackArray::Stored(array) => array.element_type(),
            StackArray::List(list) => list.tensors[0].element_type(),
            StackArray::Hdf5(brick) => brick.element_type(),
        }
    }

    /// Do the sizes of pictures differ?
    pub(super) fn has_sizes(&self) -> bool {
        matches!(self, StackArray::List(list) if list.has_sizes)
    }

    /// The layout of an image, where `first` is that of the first.
    pub(super) fn layout_of(&self, image: u64, first: StackLayout) -> StackLayout {
        match self {
            StackArray::List(list) if list.has_sizes => first.of_picture(list.tensor_of(image).0.shape()),
            _ => first,
        }
    }

    /// The bytes of an image with `n_values` values.
    pub(super) fn bytes(&self, image: u64, n_values: u64) -> Result<Vec<u8>, FormatError> {
        match self {
            StackArray::Stored(array) => array.read_bytes_at(image * n_values, n_values),
            StackArray::List(list) => {
                let (tensor, image) = list.tensor_of(image);
                tensor.read_bytes_at(image * n_values, n_values)
            }
            StackArray::Hdf5(brick) => brick.bytes(image as usize),
        }
    }

    /// The values of an image with `n_values` floats.
    pub(super) fn floats(&self, image: u64, n_values: u64) -> Result<Vec<f32>, FormatError> {
        match self {
            StackArray::Stored(array) => array.read_f32_at(image * n_values, n_values),
            StackArray::List(list) => {
                let (tensor, image) = list.tensor_of(image);
                tensor.read_f32_at(image * n_values, n_values)
            }
            StackArray::Hdf5(brick) => brick.floats(image as usize),
        }
    }
}

impl TensorList {
    /// Tensors of one image each, whose sizes may differ, or batches of images of one size.
    fn of(tensors: Vec<StoredArray>, channels_first: bool, path: &Path) -> Result<TensorList, FormatError> {
        let are_images = tensors.iter().all(|tensor| is_picture(tensor.shape()));
        let (mut starts, mut n_images) = (Vec::new(), 0);
        let mut of_image: Option<(&[u64], ElementType)> = None;
        for (place, tensor) in tensors.iter().enumerate() {
            let (n, image) = match tensor.shape() {
                image if are_images => (1, image),
                [n, image @ ..] if image.len() > 2 => (*n, image),
                shape => {
                    let found = format!("a list of {} tensors with one of shape {shape:?}", tensors.len());
                    let expected = "tensors (3, height, width) or batches (n images, 3, height, width); \
                                    `torch.stack(x)[:, None]` if these are grey pictures";
                    return Err(Problem::content(found, expected).at(path));
                }
            };
            let found = (image, tensor.element_type());
            let (shape, element) = *of_image.get_or_insert(found);
            let channels = |picture: &[u64]| StackLayout::channels_of(picture, channels_first);
            let is_alike = image == shape || are_images && channels(image) == channels(shape);
            if !is_alike || found.1 != element {
                let found = format!("{} of {image:?} as number {place} (counted from 0) of a list", found.1);
                let expected = match are_images {
                    true => format!("{element} with the channels of {shape:?}, as before"),
                    false => format!("{element} of {shape:?} as before: resize the pictures, or save each as a tensor"),
                };
                return Err(Problem::content(found, expected).at(path));
            }
            starts.push(n_images);
            n_images += n;
        }
        let image = of_image.map_or(&[][..], |(image, _)| image);
        let shape = [&[n_images], image].concat();
        Ok(TensorList {
            has_sizes: are_images && tensors.iter().any(|tensor| tensor.shape() != image),
            tensors,
            starts,
            shape,
        })
    }

    /// The tensor with this image, and the image's number in it.
    fn tensor_of(&self, image: u64) -> (&StoredArray, u64) {
        let place = self.starts.partition_point(|&start| start <= image).saturating_sub(1);
        (&self.tensors[place], image - self.starts[place])
    }
}

impl FoundStack {
    fn of(array: StackArray, channels_first: bool) -> FoundStack {
        FoundStack {
            array,
            channels_first,
            names: None,
        }
    }

    /// The stack in a file: `file.npy`, or the named or only one of `.npz`, `.pt`, `.mat` and HDF5.
    pub(super) fn open(path: &Path) -> Result<FoundStack, FormatError> {
        let (file, key) = split_member(path);
        if !file.exists() {
            return Err(Problem::not_found(crate::error::IMAGE_SOURCES).at(file));
        }
        let ending = file.extension().unwrap_or_default().to_ascii_lowercase();
        let array = match (ending.to_str(), key.as_deref()) {
            (Some("npz"), None) => return FoundStack::in_npz(&file),
            (Some("pt"), None) => return FoundStack::in_pt(&file),
            (Some("pt"), Some(key)) => {
                let array = match pt::list(&file, key)? {
                    Some(tensors) => StackArray::List(TensorList::of(tensors, true, &file)?),
                    None => StackArray::Stored(pt::open_key(&file, key)?),
                };
                return Ok(FoundStack::of(array, true));
            }
            (Some("npy"), _) => StackArray::Stored(npy::open(&file)?),
            (Some("npz"), key) => StackArray::Stored(npz::array(&file, key)?),
            (Some("mat"), key) => StackArray::Stored(in_mat(&file, key)?),
            (Some("hdf5" | "h5"), key) => StackArray::Hdf5(Brick::open(&file, key)?),
            (Some("pkl" | "pickle"), _) => return Err(Problem::new(pickle::REFUSED).at(file)),
            _ => return Err(Problem::not_an_image_source().at(file)),
        };
        Ok(FoundStack::of(array, false))
    }

    fn in_npz(file: &Path) -> Result<FoundStack, FormatError> {
        let mut arrays = npz::Npz::open(file, "an .npz file of arrays")?;
        let names = arrays.names()?;
        let mut found = Vec::new();
        for (index, name) in names.iter().enumerate() {
            let (shape, element) = arrays.shape(index, name)?;
            let name = Some(name.clone());
            found.push(Candidate { name, shape, element });
        }
        let is_single = |one: &Candidate| is_picture(&one.shape) && one.element.is_some_and(is_read);
        if found.len() > 1 && found.iter().all(is_single) {
            let pictures = names.iter().enumerate().map(|(index, name)| arrays.array(index, name));
            let pictures = pictures.collect::<Result<Vec<StoredArray>, FormatError>>()?;
            return FoundStack::of_pictures(names, pictures, false, file);
        }
        let index = chosen(file, &found, false)?;
        let array = arrays.array(index, &names[index])?;
        let n = array.shape().first().copied().unwrap_or(0);
        let mut lists = Vec::new();
        for (index, name) in names.iter().enumerate() {
            if is_key_of_names(name) && found[index].shape == [n] {
                lists.extend(arrays.texts(index, name)?.map(|texts| (name.clone(), texts)));
            }
        }
        Ok(FoundStack {
            names: names_among(lists, n),
            ..FoundStack::of(StackArray::Stored(array), false)
        })
    }

    /// Pictures by their names.
    fn of_pictures(
        names: Vec<String>,
        pictures: Vec<StoredArray>,
        channels_first: bool,
        file: &Path,
    ) -> Result<FoundStack, FormatError> {
        let list = TensorList::of(pictures, channels_first, file)?;
        Ok(FoundStack {
            names: Some(("keys".to_owned(), stems_of(names))),
            ..FoundStack::of(StackArray::List(list), channels_first)
        })
    }

    fn in_pt(file: &Path) -> Result<FoundStack, FormatError> {
        let (mut stacks, mut lists, mut singles) = (Vec::new(), Vec::new(), Vec::new());
        for PtEntry { key, content } in pt::entries(file)? {
            let own = key.clone().unwrap_or_default();
            match content {
                PtContent::Tensor(tensor) => {
                    match tensor.shape() {
                        [_] if is_key_of_names(&own) => lists.extend(tensor.whole_numbers()?.map(|texts| (own, texts))),
                        [3, _, _] | [_, _, 3] if key.is_some() => singles.push((own, tensor.clone())),
                        _ => {}
                    }
                    stacks.push((key, StackArray::Stored(tensor)));
                }
                PtContent::Tensors(tensors) => {
                    stacks.push((key, StackArray::List(TensorList::of(tensors, true, file)?)));
                }
                PtContent::Texts(texts) if is_key_of_names(&own) => lists.push((own, texts)),
                PtContent::Texts(_) => {}
            }
        }
        // A dict of pictures by their names.
        if singles.len() > 1 && singles.len() == stacks.len() {
            let (keys, tensors): (Vec<String>, Vec<StoredArray>) = singles.into_iter().unzip();
            return FoundStack::of_pictures(keys, tensors, true, file);
        }
        let found = stacks.iter().map(|(key, stack)| Candidate {
            name: key.clone(),
            shape: stack.shape().to_vec(),
            element: Some(stack.element_type()),
        });
        let index = chosen(file, &found.collect::<Vec<_>>(), true)?;
        let (_, array) = stacks.swap_remove(index);
        let n = array.shape().first().copied().unwrap_or(0);
        Ok(FoundStack {
            names: names_among(lists, n),
            ..FoundStack::of(array, true)
        })
    }
}

/// The array of a `.mat` with the images along the first axis. NumPy's arrays have them there, MATLAB's along the last.
fn in_mat(file: &Path, key: Option<&str>) -> Result<StoredArray, FormatError> {
    let mut found = mat::matrices(file, key)?;
    let is_last = |shape: &[u64]| match *shape {
        [a, b, c] => a == b && b != c && c > 4,
        [_, b, 3, n] => b != 3 && n != 3,
        _ => false,
    };
    let turned = |shape: &[u64]| match shape {
        [of_image @ .., n] if is_last(shape) => [&[*n], of_image].concat(),
        _ => shape.to_vec(),
    };
    let candidates = found.iter().map(|(name, array)| Candidate {
        name: Some(name.clone()),
        shape: turned(array.shape()),
        element: Some(array.element_type()),
    });
    let index = chosen(file, &candidates.collect::<Vec<_>>(), false)?;
    let (name, array) = found.swap_remove(index);
    let n_axes = array.shape().len();
    if let [a, b, c] = *array.shape()
        && (a == b) == (b == c)
        && StackLayout::fit(&[a, b, c], false).is_some()
    {
        let reason = format!(
            "its shape [{a}, {b}, {c}] may be (n images, height, width) or (height, width, n images); save \
             reshape({name}, [{a} 1 {b} {c}]) if the images are along the first axis, permute({name}, [3 4 1 2]) if along the last"
        );
        return Err(Problem::invalid(format!("the array {name:?}"), reason).at(file));
    }
    let axes: Vec<usize> = match is_last(array.shape()) {
        true => [n_axes - 1].into_iter().chain(0..n_axes - 1).collect(),
        false => (0..n_axes).collect(),
    };
    array.in_c_order(&axes)
}

/// An array of a file with several, before its values are read.
struct Candidate {
    name: Option<String>,
    shape: Vec<u64>,
    /// `None` for elements that are no numbers.
    element: Option<ElementType>,
}

/// The position of the array that is a stack of images.
fn chosen(file: &Path, found: &[Candidate], channels_first: bool) -> Result<usize, FormatError> {
    let doubt = |one: &Candidate| {
        let layout = StackLayout::fit(&one.shape, channels_first).filter(|_| one.element.is_some_and(is_read));
        layout.map(StackLayout::doubt)
    };
    let doubts: Vec<Option<u8>> = found.iter().map(doubt).collect();
    let least = doubts.iter().flatten().min();
    let fitting: Vec<usize> =
        (0..found.len()).filter(|&place| least.is_some() && doubts[place].as_ref() == least).collect();
    match (fitting.as_slice(), found) {
        ([one], _) => Ok(*one),
        // A single array that is not a stack: the error is about its shape or type.
        ([], [_]) => Ok(0),
        ([], others) => {
            let shape = |one: &Candidate| format!("{} {:?}", one.name.as_deref().unwrap_or("an array"), one.shape);
            let shapes: Vec<String> = others.iter().map(shape).collect();
            let found = format!("{} arrays, none of them images: {}", others.len(), first_names(&shapes));
            Err(Problem::content(found, "an array (n images, height, width, 3) or (n images, 3, height, width)"))
        }
        (several, _) => {
            let keys: Vec<String> = several.iter().filter_map(|&place| found[place].name.clone()).collect();
            let first = keys.first().map_or("key", String::as_str);
            let choose = format!("choose one as {}#{first}", file.display());
            Err(Problem::new(format_args!("several image stacks ({}); {choose}", first_names(&keys))))
        }
    }
    .at(file)
}

/// Is an array of this shape one picture with an axis of channels?
fn is_picture(shape: &[u64]) -> bool {
    matches!(shape, [3 | 1, _, _] | [_, _, 1 | 3 | 4])
}

/// Can images have these elements?
pub(super) fn is_read(element: ElementType) -> bool {
    element.is_float() || [ElementType::U8, ElementType::Bool].contains(&element)
}

/// Is this the usual key of a list of names?
fn is_key_of_names(key: &str) -> bool {
    let key = key.to_ascii_lowercase();
    let key = key.strip_suffix('s').unwrap_or(&key);
    ["id", "name", "stem", "file", "key", "path"].iter().any(|ending| key.ends_with(ending))
}

/// The first list with a different name for each of `n` images.
fn names_among(lists: Vec<(String, Vec<String>)>, n: u64) -> Option<(String, Vec<String>)> {
    let stems = lists.into_iter().map(|(key, names)| (key, stems_of(names)));
    let mut fitting = stems.filter(|(_, names)| {
        let mut known = HashSet::new();
        names.len() as u64 == n && names.iter().all(|name| known.insert(name))
    });
    fitting.next()
}

/// Names without the extension of image files.
fn stems_of(names: Vec<String>) -> Vec<String> {
    let stem = |name: String| match Path::new(&name).extension().and_then(|ending| ending.to_str()) {
        Some(ending) if folder::EXTENSIONS.iter().any(|known| ending.eq_ignore_ascii_case(known)) => {
            name[..name.len() - ending.len() - 1].to_owned()
        }
        _ => name,
    };
    names.into_iter().map(stem).collect()
}
