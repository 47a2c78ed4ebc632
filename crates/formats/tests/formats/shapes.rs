//! Point clouds and meshes.

use crate::prelude::*;
use neurogauge_formats::shapes::{Shape, list, read};

fn shape_of(name: &str, content: &[u8]) -> Result<Shape, String> {
    let (_folder, path) = file(name, content);
    read(&path).map_err(|error| error.to_string())
}

const HEADER: &str = "comment made by hand\nelement vertex 4\nproperty float x\nproperty float y\nproperty uchar red\n\
                      property double z\nelement face 2\nproperty list uchar int vertex_indices\nend_header\n";

/// The tetrahedron's corners give the same shape as text and in both byte orders.
#[test]
fn ply_as_text_and_in_both_byte_orders() {
    let corners: [[f64; 3]; 4] = [[0.0, 0.0, 0.5], [1.0, 0.0, 0.0], [0.0, 2.0, 0.0], [0.0, 0.0, -3.25]];
    let faces: [&[i32]; 2] = [&[0, 1, 2], &[3, 2, 1, 0]];
    let mut text = format!("ply\nformat ascii 1.0\n{HEADER}");
    let mut little = format!("ply\nformat binary_little_endian 1.0\n{HEADER}").into_bytes();
    let mut big = format!("ply\r\nformat binary_big_endian 1.0\n{HEADER}").into_bytes();
    for [x, y, z] in corners {
        text += &format!("{x} {y} 200 {z}\n");
        for part in [&(x as f32).to_le_bytes()[..], &(y as f32).to_le_bytes(), &[200], &z.to_le_bytes()] {
            little.extend(part);
            big.extend(part.iter().rev());
        }
    }
    for corners in faces {
        text += &format!("{} {}\n", corners.len(), corners.iter().map(i32::to_string).collect::<Vec<_>>().join(" "));
        for order in [&mut little, &mut big] {
            order.push(corners.len() as u8);
        }
        for corner in corners {
            little.extend(corner.to_le_bytes());
            big.extend(corner.to_be_bytes());
        }
    }
    let expected = Shape {
        vertices: corners.to_vec(),
        triangles: vec![[0, 1, 2], [3, 2, 1], [3, 1, 0]],
    };
    for content in [text.as_bytes(), &little, &big] {
        assert_eq!(shape_of("a.ply", content), Ok(expected.clone()));
        refused(shape_of("a.ply", &content[..content.len() - 5]), "face 1: no number for vertex_indices");
    }
}

#[test]
fn obj_with_textures_negative_places_and_quadrilaterals() {
    let text = "# a square\nvn 0 0 1\nv 0 0 0 1.0\nv 1 0 0\nf 1/1 2/2/1 -1//1\nv 1 1 1e0\nv 0 1 0\nf -4 -3 3 4\n";
    let shape = shape_of("a.OBJ", text.as_bytes()).unwrap();
    assert_eq!(shape.vertices.len(), 4);
    assert_eq!(shape.triangles, [[0, 1, 1], [0, 1, 2], [0, 2, 3]]);
}

#[test]
fn faulty_shapes_are_refused_by_place() {
    let ply = |head: &str, body: &str| format!("ply\nformat ascii 1.0\n{head}end_header\n{body}");
    let xyz = "element vertex 1\nproperty float x\nproperty float y\nproperty float z\n";
    for (name, content, words) in [
        ("a.stl", String::new(), "the ending \"stl\"; expected a point cloud or a mesh (.npy, .ply, .obj)"),
        ("a.obj", "v 1 2\n".into(), "line 1: \"\"; expected three numbers after v"),
        ("a.obj", "v 1 2 x\n".into(), "line 1: \"x\"; expected three numbers"),
        ("a.obj", "v 1 2 inf\n".into(), "point 0: [1.0, 2.0, inf]; expected finite numbers"),
        ("a.obj", "v 0 0 0\nf 1 1\n".into(), "line 2: a face with 2 corners"),
        ("a.obj", "v 0 0 0\nf 1 0 1\n".into(), "line 2: \"0\"; expected the number of a point"),
        ("a.obj", "v 0 0 0\nf 1 1 -2\n".into(), "line 2: \"-2\"; expected the number of a point"),
        ("a.obj", "v 0 0 0\nf 1 1 2\n".into(), "line 2: the point 2; the file has 1"),
        ("a.obj", "# nothing\n".into(), "it has no points"),
        ("a.ply", "plyx\n".into(), "line 1 of its header is \"plyx\"; expected \"ply\""),
        ("a.ply", "ply\nformat ascii 1.0\n".into(), "no line end_header"),
        ("a.ply", "ply\nend_header\n".into(), "no line format"),
        ("a.ply", ply("element vertex 9\n", ""), "lacks one of the properties x, y and z"),
        ("a.ply", ply("element dust 999999999999999999\n", ""), "its element dust has no properties"),
        ("a.ply", ply("property float x\n", ""), "line 3 of its header"),
        (
            "a.ply",
            ply("element vertex 1\nproperty half x\n", ""),
            "line 4 of its header is \"property half x\"",
        ),
        ("a.ply", ply(xyz, "0 0\n"), "vertex 0: no number for z"),
        (
            "a.ply",
            ply(&format!("{xyz}element face 1\nproperty list uchar int vertex_index\n"), "0 0 0\n3 0 0 1\n"),
            "the corner 1; the file has 1 points",
        ),
        (
            "a.ply",
            ply(&format!("{xyz}element face 1\nproperty list uchar int vertex_index\n"), "0 0 0\n3 0 0 -1\n"),
            "face 0: the corner -1",
        ),
        (
            "a.ply",
            ply(&format!("{xyz}element face 1\nproperty list uchar int vertex_index\n"), "0 0 0\n2 0 0\n"),
            "face 0: 2 corners",
        ),
    ] {
        let error = shape_of(name, content.as_bytes()).unwrap_err();
        assert!(error.contains(words), "{content:?}: {error}");
    }
}

#[test]
fn arrays_and_folders_of_shapes() {
    let folder = tempfile::tempdir().unwrap();
    let path = |name: &str| folder.path().join(name);
    refused(list(folder.path()), "holds no file .npy, .ply or .obj");
    npy::write_f32(&path("10.npy"), &[2, 3], &[0.5; 6]).unwrap();
    std::fs::write(path("9.obj"), "v 0 0 0\n").unwrap();
    assert_eq!(read(&path("10.npy")).unwrap().vertices, [[0.5; 3]; 2]);
    let stems: Vec<String> = list(folder.path()).unwrap().into_iter().map(|(stem, _)| stem).collect();
    assert_eq!(stems, ["9", "10"]);
    std::fs::write(path("10.ply"), "").unwrap();
    refused(list(folder.path()), "share the stem \"10\"");
    npy::write_f32(&path("flat.npy"), &[3, 2], &[0.5; 6]).unwrap();
    refused(read(&path("flat.npy")), "an array of shape [3, 2]; expected (n_points, 3)");
}
