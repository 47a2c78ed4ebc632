//! NSD folders that are refused: files that are absent, cut, or do not agree.

use crate::support::alignments::arguments;
use crate::support::nsd_folder::{
    N_SESSIONS, N_VERTICES, TRIALS, beta, betas_of, label, shared_image, write_betas, write_nsd,
};
use crate::support::{folder, refused, succeed};
use std::path::Path;

#[test]
fn the_table_of_stimuli_must_agree_on_what_is_shared() {
    let table = |shared: &dyn Fn(u64) -> bool| {
        let lines = (0..73_000).map(|image| {
            let shared = if shared(image) { "True" } else { "False" };
            format!("{image},{},{image},{shared}\n", 200_000 + image)
        });
        format!(",cocoId,nsdId,shared1000\n{}", lines.collect::<String>())
    };
    let path = |root: &Path| root.join("nsddata/experiments/nsd/nsd_stim_info_merged.csv");
    let is_shared = |image: u64| {
        let trials = (0..N_SESSIONS).flat_map(|s| (0..TRIALS).map(move |t| (s, t)));
        trials
            .filter_map(|(s, t)| shared_image(s, t))
            .any(|i| i == image)
    };
    let shared: Vec<u64> = (69_000..70_000).filter(|&image| is_shared(image)).collect();
    let root = folder();
    let config = write_nsd(root.path());
    std::fs::write(path(root.path()), table(&|image| shared.contains(&image))).unwrap();
    succeed(&arguments(&config, &root.path().join("run")));
    let not = format!("image {}", shared[3]);
    let parts = ["nsd_expdesign.mat", &not, "nsd_stim_info_merged.csv"];
    refuses(1, &parts, |root, text| {
        let others = |image: u64| image != shared[3] && shared.contains(&image);
        std::fs::write(path(root), table(&others)).unwrap();
        text
    });
}

/// The folder as `change` leaves it is refused with these words.
#[track_caller]
fn refuses(code: i32, parts: &[&str], change: impl FnOnce(&Path, String) -> String) {
    let root = folder();
    let config = write_nsd(root.path());
    let text = std::fs::read_to_string(&config).unwrap();
    std::fs::write(&config, change(root.path(), text)).unwrap();
    let run = root.path().join("run");
    refused(&arguments(&config, &run), code, parts);
    assert!(!run.join("align.json").exists());
}

#[test]
fn regions_that_are_absent_or_of_another_surface() {
    refuses(
        1,
        &["lh.small.mgh", "V2", "subj01 lh V2", "9"],
        |_, text| text.replace("V2 = 5", "V2 = 9"),
    );
    refuses(1, &["lh.other.mgh"], |_, text| {
        text.replace("small", "other")
    });
    refuses(
        1,
        &["lh.betas_session01.mgh", "40 vertices", "41"],
        |root, text| {
            write_betas(&root.join("labels/lh.small.mgh"), 41, 1, |_, vertex| {
                label(vertex)
            });
            text
        },
    );
}

#[test]
fn sessions_that_are_absent_cut_or_short() {
    let second = "subj02/fsaverage/betas_fithrf_GLMdenoise_RR/lh.betas_session02.mgh";
    refuses(1, &[second], |root, text| {
        std::fs::remove_file(betas_of(root, 2, 2)).unwrap();
        text
    });
    refuses(1, &[second], |root, text| {
        let path = betas_of(root, 2, 2);
        let bytes = std::fs::read(&path).unwrap();
        std::fs::write(&path, &bytes[..bytes.len() - 1000]).unwrap();
        text
    });
    refuses(1, &[second, "749 trials", "750"], |root, text| {
        write_betas(&betas_of(root, 2, 2), N_VERTICES, 749, |_, _| 1.0);
        text
    });
}

#[test]
fn a_vertex_that_was_never_measured() {
    // The second vertex of V2, in both sessions of one subject.
    let damage = |root: &Path| {
        for session in 1..=2 {
            write_betas(
                &betas_of(root, 2, session),
                N_VERTICES,
                TRIALS,
                |trial, vertex| {
                    if vertex == 5 {
                        f32::NAN
                    } else {
                        beta(2, session - 1, trial, vertex)
                    }
                },
            );
        }
    };
    refuses(
        1,
        &["lh.small.mgh", "subj02 lh V2", "voxel 5"],
        |root, text| {
            damage(root);
            text
        },
    );
    let root = folder();
    let config = write_nsd(root.path());
    damage(root.path());
    let text = std::fs::read_to_string(&config).unwrap();
    std::fs::write(&config, format!("allow_nan_voxels = true\n{text}")).unwrap();
    succeed(&arguments(&config, &root.path().join("run")));
}

#[test]
fn subjects_and_sessions_that_the_design_lacks() {
    refuses(2, &["subject 3"], |_, text| {
        text.replace("[1, 2]", "[1, 3]")
    });
    refuses(1, &["nsd_expdesign.mat", "session 3"], |_, text| {
        text.replace("sessions = [2, 2]", "sessions = [2, 3]")
    });
    refuses(2, &["subj01 lh V1", "twice"], |_, text| {
        text.replace("[1, 2]", "[1, 1]")
    });
}
