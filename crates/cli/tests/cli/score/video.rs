//! Clips as video files. Scripts replace ffmpeg and ffprobe: a file consists of `ffprobe`'s output, on one line, and
//! the RGB bytes of its frames.

use crate::support::*;

const SIDE_PX: usize = 16;
const SCORE: &str = "score gt recon --parts frame --metrics pixcorr,ssim";

/// A folder with the scripts in `bin`, which write their calls into `calls`.
#[cfg(unix)]
fn programs() -> Folder {
    use std::os::unix::fs::PermissionsExt;
    let dir = folder();
    let start = "#!/bin/sh\nif [ \"$1\" = -version ]; then echo 'ffmpeg version 6.1-small Copyright'; exit; fi\n\
                 for word in \"$@\"; do case \"$word\" in file:*) file=\"${word#file:}\";; esac; done\n\
                 echo \"$(basename \"$0\") $(basename \"$file\")\" >> calls\n";
    for (program, rest) in [
        ("ffprobe", "head -n 1 \"$file\""),
        (
            "ffmpeg",
            "if grep -q broken \"$file\"; then echo 'one line' >&2; echo 'Invalid data found' >&2; exit 69; fi\ntail -n +2 \"$file\"",
        ),
    ] {
        let name = format!("bin/{program}");
        dir.write(&name, format!("{start}{rest}\n"));
        fs::set_permissions(dir.join(&name), fs::Permissions::from_mode(0o755)).unwrap();
    }
    dir
}

/// Runs `neurogauge` with these scripts first on the `PATH`, or alone.
fn run(dir: &Folder, line: &str, path: &str) -> Ran {
    let mut command = dir.command(line, "cache");
    Ran::of(command.env("PATH", path))
}

fn path_with_programs(dir: &Folder) -> String {
    format!("{}:/usr/bin:/bin", dir.join("bin").display())
}

#[track_caller]
fn succeed(dir: &Folder, line: &str) -> Ran {
    run(dir, line, &path_with_programs(dir)).done()
}

/// The output of `ffprobe` for frames with these times and lengths, in tenths of a second.
fn probed(tenths: &[i64], lengths: &[i64]) -> String {
    let packet = |(start, length): (&i64, &i64)| {
        let seconds = |tenths: i64| format!("{:.6}", tenths as f64 / 10.0);
        let start = seconds(*start);
        serde_json::json!({"pts_time": start, "dts_time": start, "duration_time": seconds(*length), "flags": "K__"})
    };
    let packets: Vec<_> = tenths.iter().zip(lengths).map(packet).collect();
    let streams = [serde_json::json!({"width": SIDE_PX, "height": SIDE_PX})];
    serde_json::json!({"streams": streams, "packets": packets}).to_string()
}

fn video(dir: &Folder, name: &str, probed: &str, frames: &[Image<u8>]) {
    let pixels = frames.iter().flat_map(|frame| frame.data()).copied();
    dir.write(name, format!("{probed}\n").into_bytes().into_iter().chain(pixels).collect::<Vec<_>>());
}

fn frame(name: &str, grain: f32) -> Image<u8> {
    picture(name, SIDE_PX, grain)
}

#[cfg(unix)]
#[test]
fn a_video_is_scored_as_its_frames_and_decoded_once() {
    let dir = programs();
    for (side, grain) in [("gt", 4.0), ("recon", 90.0)] {
        for clip in 0..5 {
            let frames: Vec<_> = (0..3).map(|n| frame(&format!("{clip}{n}"), grain)).collect();
            video(&dir, &format!("{side}/{clip}.mp4"), &probed(&[0, 1, 2], &[1; 3]), &frames);
            for (n, frame) in frames.iter().enumerate() {
                write_png(&dir.join(format!("{side}-frames/{clip}/{n}.png")), frame).unwrap();
            }
        }
    }
    assert_snapshot!(succeed(&dir, &format!("{SCORE} --out videos")).stdout.lines().next().unwrap(), @"videos: 5 items with 15 pairs of frames");
    dir.succeed("score gt-frames recon-frames --parts frame --metrics pixcorr,ssim --out folders");
    for metric in ["pixcorr", "ssim"] {
        assert_eq!(dir.values("videos", metric), dir.values("folders", metric));
    }
    let calls = dir.read("calls");
    let mut calls: Vec<&str> = calls.lines().collect();
    calls.sort_unstable();
    // For each side once: ffprobe for the file's properties and for the sizes of its frames.
    let expected = [("ffmpeg", 2), ("ffprobe", 4)]
        .map(|(program, n)| (0..5 * n).map(move |call| format!("{program} {}.mp4", call / n)));
    assert_eq!(calls, expected.into_iter().flatten().collect::<Vec<_>>());
    // The record names the program, and hashes are those of the pixels, whatever the file.
    let input = dir.json("videos/run.json")["inputs"][0].clone();
    assert_eq!(input["decoder"], "ffmpeg 6.1-small");
    let ppm = [format!("P6\n{SIDE_PX} {SIDE_PX}\n255\n").as_bytes(), frame("00", 4.0).data()].concat();
    assert_eq!(input["items"][0], serde_json::json!(["0/0001", content_hash::of_bytes(&ppm)]));
    // If the folder has images, these count, and its videos do not.
    write_png(&dir.join("gt/still.png"), &frame("00", 4.0)).unwrap();
    let checked = run(&dir, "check gt gt --json", "/usr/bin:/bin").stdout;
    let checked: Value = serde_json::from_str(&checked).unwrap();
    assert_eq!(checked["gt"]["n_images"], 1);
}

#[cfg(unix)]
#[test]
fn frames_that_are_shown_longer_are_matched_with_more() {
    let dir = programs();
    let (dark, light) = (frame("dark", 4.0), frame("light", 4.0));
    for clip in 0..3 {
        // The stimulus changes after a tenth of 0.4 s, the reconstruction after the first of four equal frames. Frames
        // that are decoded in another order than shown are sorted.
        let mut times = probed(&[1, 0], &[3, 1]);
        times = times.replace("\"dts_time\":\"0.100000\"", "\"dts_time\":\"-0.100000\"");
        video(&dir, &format!("gt/{clip}.mp4"), &times, &[dark.clone(), light.clone()]);
        for n in 0..4 {
            write_png(&dir.join(format!("recon/{clip}/{n}.png")), if n == 0 { &dark } else { &light }).unwrap();
        }
    }
    succeed(&dir, &format!("{SCORE} --out run"));
    // By number alone, the first would be compared with the second of the four, which is light.
    assert_eq!(dir.values("run", "ssim"), [1.0; 3]);
    // Twice as long as its stimulus: reported, and compared by relative times.
    for clip in 0..3 {
        dir.remove(format!("recon/{clip}"));
        video(&dir, &format!("recon/{clip}.mp4"), &probed(&[0, 2], &[2, 6]), &[dark.clone(), light.clone()]);
    }
    let ran = succeed(&dir, &format!("{SCORE} --out longer"));
    assert_eq!(dir.values("longer", "ssim"), [1.0; 3]);
    let said = "the clips of 3 items do not last equally long (\"0\": 0.40 s among the stimuli, 0.80 s among the reconstructions); frames are \
                matched as if they did; if one of them shows more of the stimulus, cut it";
    assert!(ran.stdout.contains(said), "{ran}");
    let checked = succeed(&dir, "check gt recon --parts frame").stdout;
    assert!(checked.contains(&format!("warning: gt and recon: {said}")), "{checked}");
    let stored: Vec<&str> = checked.lines().filter(|line| line.starts_with("stored as")).collect();
    assert_snapshot!(stored[0], @"stored as          MP4, frame        MP4, frame");
}

#[cfg(unix)]
#[test]
fn videos_that_cannot_be_read_are_named() {
    let dir = programs();
    let frames = vec![frame("0", 4.0); 2];
    let good = probed(&[0, 1], &[1, 1]);
    video(&dir, "gt/1.mp4", &good, &frames);
    let with = |from: &str, to: &str| good.replace(from, to);
    let mut text = String::new();
    let mut refused = |what: &str, probed: &str, n_frames: usize| {
        video(&dir, "recon/1.mp4", probed, &vec![frame("0", 4.0); n_frames]);
        let ran = run(&dir, &format!("{SCORE} --out run"), &path_with_programs(&dir));
        text += &format!("{what}\n{}", ran.indented());
    };
    refused("no video stream", r#"{"streams": [], "packets": []}"#, 2);
    refused("no frames", r#"{"streams": [{"width": 16, "height": 16}], "packets": []}"#, 0);
    refused("only frames that are not shown", &with("K__", "KD_"), 2);
    refused("two frames at one time", &with("0.100000", "0.000000"), 2);
    refused("times that go back", &with("\"dts_time\":\"0.000000\"", "\"dts_time\":\"0.200000\""), 2);
    refused("a time that is none", &with("\"pts_time\":\"0.100000\"", "\"pts_time\":\"soon\""), 2);
    refused("a bomb", &with("16", "30000"), 2);
    refused("a bomb of many frames", &probed(&Vec::from_iter(0..11), &[1; 11]).replace("16", "10000"), 2);
    refused("no JSON", "ffprobe", 2);
    refused("a frame less than announced", &good, 1);
    refused("a frame more than announced", &good, 3);
    refused("damaged", &with("K__", "broken"), 2);
    let sizes = [(16, 16), (16, 16), (32, 8)].map(|(width, height)| json!({"width": width, "height": height}));
    refused("a size that changes", &with("}],", &format!(r#"}}], "frames": {},"#, json!(sizes))), 2);
    let n_decoded = dir.read("calls").matches("ffmpeg 1.mp4").count();
    // The stimulus each time, and the files whose faults only show while decoding.
    assert_eq!(n_decoded, 13 + 3);
    let ran = run(&dir, &format!("{SCORE} --out run"), "/nowhere");
    text += &format!("without ffmpeg\n{}", ran.indented());
    dir.remove("bin/ffprobe");
    let ran = run(&dir, &format!("{SCORE} --out run"), &dir.join("bin").display().to_string());
    text += &format!("without ffprobe\n{}", ran.indented());
    assert!(!dir.has("run"));
    assert_snapshot!(text, @r#"
    no video stream
      exit 1, stderr: error: [DIR]/recon/1.mp4: not a readable video: it has no video stream
    no frames
      exit 1, stderr: error: [DIR]/recon/1.mp4: not a readable video: it has no frames
    only frames that are not shown
      exit 1, stderr: error: [DIR]/recon/1.mp4: not a readable video: it has no frames
    two frames at one time
      exit 1, stderr: error: [DIR]/recon/1.mp4: not a readable video: two frames have the time 0 s; expected times that grow: write it again, such as with ffmpeg -fflags +genpts
    times that go back
      exit 1, stderr: error: [DIR]/recon/1.mp4: not a readable video: its times go back from 0.2 to 0.1 s; expected times that grow: write it again, such as with ffmpeg -fflags +genpts
    a time that is none
      exit 1, stderr: error: [DIR]/recon/1.mp4: not a readable video: a frame has the time "soon"; expected seconds
    a bomb
      exit 1, stderr: error: [DIR]/recon/1.mp4: an image of 30000 x 30000 px, and none of more than 100000000 pixels is read; if it is meant, raise --max-pixels
    a bomb of many frames
      exit 1, stderr: error: [DIR]/recon/1.mp4: 11 frames or more of 10000 x 10000 px; expected at most 1000000000 pixels in all frames of a file together; if it is meant, raise --max-pixels
    no JSON
      exit 1, stderr: error: [DIR]/recon/1.mp4: not a readable video: ffprobe did not answer in JSON: this is not JSON
    a frame less than announced
      exit 1, stderr: error: [DIR]/recon/1.mp4: not a readable video: it announces 2 frames of 16 x 16 px and 1 such were decoded; the file was cut short, is damaged, or its frames change their size
    a frame more than announced
      exit 1, stderr: error: [DIR]/recon/1.mp4: not a readable video: it announces 2 frames of 16 x 16 px and 3 such were decoded; the file was cut short, is damaged, or its frames change their size
    damaged
      exit 1, stderr: error: [DIR]/recon/1.mp4: not a readable video: ffmpeg says: Invalid data found
    a size that changes
      exit 1, stderr: error: [DIR]/recon/1.mp4: not a readable video: its frames change their size from 16 x 16 to 32 x 8 px; expected one size: cut it at the change, or write it again in one size, such as with ffmpeg -vf scale=16:16
    without ffmpeg
      exit 1, stderr: error: [DIR]/gt/1.mp4: video files are decoded by ffmpeg, and ffmpeg was not found on the PATH; install ffmpeg (Debian: apt install ffmpeg; macOS: brew install ffmpeg; conda: conda install -c conda-forge ffmpeg), or write the frames into a folder for each clip
    without ffprobe
      exit 1, stderr: error: [DIR]/gt/1.mp4: video files are decoded by ffmpeg, and ffprobe was not found on the PATH; install ffmpeg (Debian: apt install ffmpeg; macOS: brew install ffmpeg; conda: conda install -c conda-forge ffmpeg), or write the frames into a folder for each clip
    "#);
}

/// With the installed programs themselves: frames of a lossless video equal the encoded ones.
#[test]
fn the_real_ffmpeg_decodes_what_it_encoded() {
    if Command::new("ffmpeg").arg("-version").output().is_err() {
        println!("skipped: ffmpeg is not installed");
        return;
    }
    let dir = folder();
    for n in 0..4 {
        write_png(&dir.join(format!("frames/a/{n}.png")), &frame(&n.to_string(), 60.0)).unwrap();
    }
    let encode = |options: &str, name: &str| {
        fs::create_dir_all(dir.join(name).parent().unwrap()).unwrap();
        let line = format!("-v error -framerate 4 -i frames/a/%d.png {options} {name}");
        let ran = Command::new("ffmpeg").args(line.split_whitespace()).current_dir(dir.path()).output().unwrap();
        assert!(ran.status.success(), "{}", String::from_utf8_lossy(&ran.stderr));
    };
    encode("-c:v ffv1 -pix_fmt gbrp", "lossless/a.mkv");
    dir.succeed("score frames lossless --parts frame --set frames=error --metrics ssim --out same");
    assert_eq!(dir.values("same", "ssim"), [1.0]);
    // The encoders of other containers are lossy, but keep the number of frames.
    for (options, name) in
        [("-c:v mpeg4", "mp4/a.mp4"), ("-c:v mjpeg", "avi/a.avi"), ("-c:v mpeg1video -r 24", "mpg/a.mpg")]
    {
        encode(options, name);
        let side = name.split('/').next().unwrap();
        let frames = if side == "mpg" { "" } else { "--set frames=error" };
        dir.succeed(&format!("score frames {side} --parts frame {frames} --metrics ssim --out run-{side}"));
        let ssim = dir.values(format!("run-{side}"), "ssim")[0];
        assert!((0.5..1.0).contains(&ssim), "{name}: {ssim}");
    }
    // Half a file.
    let whole = dir.bytes("avi/a.avi");
    dir.write("cut/a.avi", &whole[..whole.len() / 2]);
    dir.run("score frames cut --parts frame --metrics ssim --out cut-run")
        .exits(1)
        .says(&["cut/a.avi: not a readable video: "]);
}
