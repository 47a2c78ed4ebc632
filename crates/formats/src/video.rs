//! The frames of video files, decoded by the user's own `ffmpeg`.

use crate::budget::Budget;
use crate::parser_words::of_json;
use crate::{AtPath, FormatError, IoResult, Problem, image_limit};
use neurogauge_core::Image;
use serde::Deserialize;
use std::ffi::OsString;
use std::io::{self, Read};
use std::path::{Path, PathBuf};
use std::process::{ChildStdout, Command, Stdio};

/// The programs that decode video files.
pub const PROGRAMS: [&str; 2] = ["ffmpeg", "ffprobe"];
pub const INSTALL: &str = "install ffmpeg (Debian: apt install ffmpeg; macOS: brew install ffmpeg; conda: conda install -c conda-forge \
                           ffmpeg)";
/// The endings of video files.
pub(crate) const EXTENSIONS: [&str; 8] = ["mp4", "m4v", "mov", "mkv", "webm", "avi", "mpg", "mpeg"];
/// The containers of these files. Others, such as playlists, could make the program read files that the user did not
/// name.
const FORMATS: &str = "mov,mp4,m4a,3gp,3g2,mj2,matroska,webm,avi,mpeg,mpegts,mpegvideo";
/// The first video stream that is not a cover picture.
const STREAM: &str = "V:0";
/// The most bytes of a program's output about a file, per byte of the file.
const OUTPUT_PER_BYTE: u64 = 16;
/// The first version that supports `-fps_mode`.
const WITH_FPS_MODE: (u32, u32) = (5, 1);

/// A program on the `PATH`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Installed {
    pub path: PathBuf,
    /// Its version; `None` if it does not run or does not report one.
    pub version: Option<String>,
}

/// Looks for one of [`PROGRAMS`] on the `PATH`, and runs it to find its version.
pub fn installed(program: &'static str) -> Option<Installed> {
    let name = format!("{program}{}", std::env::consts::EXE_SUFFIX);
    let folders = std::env::var_os("PATH")?;
    let files = std::env::split_paths(&folders).map(|folder| folder.join(&name));
    let path = files.into_iter().find(|file| can_run(file))?;
    let version = version(&path, program).ok();
    Some(Installed { path, version })
}

#[cfg(unix)]
fn can_run(file: &Path) -> bool {
    use std::os::unix::fs::PermissionsExt;
    file.metadata().is_ok_and(|file| file.is_file() && file.permissions().mode() & 0o111 != 0)
}

#[cfg(not(unix))]
fn can_run(file: &Path) -> bool {
    file.is_file()
}

/// The programs that decode video files.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Ffmpeg {
    version: String,
}

/// The output of `ffprobe` about a file.
#[derive(Debug, Deserialize)]
struct Probed {
    #[serde(default)]
    streams: Vec<Size>,
    #[serde(default)]
    packets: Vec<Packet>,
    #[serde(default)]
    frames: Vec<Size>,
}

/// The size that a stream announces, or that a frame has.
#[derive(Debug, Clone, Copy, PartialEq, Default, Deserialize)]
#[serde(default)]
struct Size {
    width: u64,
    height: u64,
}

/// An encoded frame. Times are decimal seconds; `None` if the file has none.
#[derive(Debug, Default, Deserialize)]
#[serde(default)]
struct Packet {
    pts_time: Option<String>,
    dts_time: Option<String>,
    duration_time: Option<String>,
    flags: String,
}

/// The size of a video's frames, and how long each is shown.
struct Outline {
    width_px: u64,
    height_px: u64,
    shown_for: Vec<Option<u32>>,
}

fn faulty(path: &Path, reason: impl std::fmt::Display) -> FormatError {
    Problem::invalid("not a readable video", reason).at(path)
}

impl Ffmpeg {
    /// The programs on the `PATH`. `path` is the file that needs them.
    pub(crate) fn find(path: &Path) -> Result<Self, FormatError> {
        let version = version(path, "ffmpeg")?;
        Ok(Ffmpeg { version })
    }

    /// Name and version, for records.
    pub(crate) fn name(&self) -> String {
        format!("ffmpeg {}", self.version)
    }

    /// Decodes the frames of a video in the order in which they are shown, as stored: neither rotated nor stretched.
    /// `frame` also gets how long each is shown, in microseconds, if the file says so.
    pub(crate) fn visit(
        &self,
        path: &Path,
        frame: &mut dyn FnMut(Image<u8>, Option<u32>) -> Result<(), FormatError>,
    ) -> Result<(), FormatError> {
        let outline = Outline::of(path)?;
        let mut arguments: Vec<OsString> = vec!["-nostdin".into(), "-xerror".into()];
        arguments.extend(["-threads", "1", "-noautorotate"].map(OsString::from));
        arguments.extend(input(path));
        arguments.extend(["-map".into(), format!("0:{STREAM}").into()]);
        // No frame is stretched to the size of the first: a frame of another size has another number of bytes.
        arguments.extend(["-autoscale", "0"].map(OsString::from));
        arguments.extend([self.every_frame(), "passthrough"].map(OsString::from));
        // These give the same bits on every processor.
        arguments.extend(["-sws_flags", "bitexact+accurate_rnd"].map(OsString::from));
        arguments.extend(["-f", "rawvideo", "-pix_fmt", "rgb24", "pipe:1"].map(OsString::from));
        let n_decoded = run(path, "ffmpeg", &arguments, |stdout| outline.read_frames(path, stdout, frame))?;
        if n_decoded != outline.shown_for.len() {
            return Err(faulty(
                path,
                format!(
                    "it announces {} frames of {} x {} px and {n_decoded} such were decoded; the file was cut short, is damaged, or its \
                     frames change their size",
                    outline.shown_for.len(),
                    outline.width_px,
                    outline.height_px
                ),
            ));
        }
        Ok(())
    }

    /// The option that neither drops nor repeats frames.
    fn every_frame(&self) -> &'static str {
        let mut numbers = self.version.split(|letter: char| !letter.is_ascii_digit());
        let mut number = || numbers.next().and_then(|number| number.parse::<u32>().ok());
        match (number(), number()) {
            // Versions of the development branch have no number.
            (Some(major), minor) if (major, minor.unwrap_or(0)) < WITH_FPS_MODE => "-vsync",
            _ => "-fps_mode",
        }
    }
}

impl Probed {
    /// The output of `ffprobe` with these options.
    fn of(path: &Path, options: &[&str]) -> Result<Probed, FormatError> {
        let mut arguments = input(path).to_vec();
        arguments.extend(["-select_streams", STREAM, "-of", "json"].map(OsString::from));
        arguments.extend(options.iter().map(OsString::from));
        let output = run(path, "ffprobe", &arguments, |stdout| {
            let mut budget = Budget::of_file(path, OUTPUT_PER_BYTE);
            budget.read(stdout, path, "the list of its frames")
        })?;
        serde_json::from_slice(&output)
            .map_err(|error| faulty(path, format!("ffprobe did not answer in JSON: {}", of_json(&error))))
    }
}

/// Refuses frames of several sizes, which would all be stretched to the size of the first. Sizes change at key frames,
/// so only these are decoded here; if a codec changes them elsewhere, the number of bytes reveals it.
fn refuse_several_sizes(path: &Path) -> Result<(), FormatError> {
    let max_pixels = image_limit::max_pixels().to_string();
    let key_frames = ["-skip_frame", "nokey", "-max_pixels", &max_pixels];
    let options = [&key_frames[..], &["-show_entries", "frame=width,height"]].concat();
    let frames = Probed::of(path, &options)?.frames;
    match frames.array_windows().find(|[before, after]| before != after) {
        None => Ok(()),
        Some([before, after]) => Err(faulty(
            path,
            format!(
                "its frames change their size from {} x {} to {} x {} px; expected one size: cut it at the change, or write it again in \
                 one size, such as with ffmpeg -vf scale={0}:{1}",
                before.width, before.height, after.width, after.height
            ),
        )),
    }
}

impl Outline {
    fn of(path: &Path) -> Result<Outline, FormatError> {
        let entries = "stream=width,height:packet=pts_time,dts_time,duration_time,flags";
        let probed = Probed::of(path, &["-show_entries", entries])?;
        let Some(&Size { width, height }) = probed.streams.first() else {
            return Err(faulty(path, "it has no video stream"));
        };
        let shown: Vec<&Packet> = probed
            .packets
            .iter()
            .filter(|packet| !packet.flags.contains('D')) // decoded but not shown
            .collect();
        if shown.is_empty() || width == 0 || height == 0 {
            return Err(faulty(path, "it has no frames"));
        }
        let n_frames = shown.len() as u64;
        image_limit::check_size(path, width, height)?;
        image_limit::check_frames(path, (width, height), n_frames)?;
        refuse_several_sizes(path)?;
        Ok(Outline {
            width_px: width,
            height_px: height,
            shown_for: times(path, &probed.packets, &shown)?,
        })
    }

    /// Reads decoded frames; returns the number of complete ones, or one more than announced.
    fn read_frames(
        &self,
        path: &Path,
        mut stdout: ChildStdout,
        frame: &mut dyn FnMut(Image<u8>, Option<u32>) -> Result<(), FormatError>,
    ) -> Result<usize, FormatError> {
        let n_bytes = self.width_px * self.height_px * 3;
        for (place, &shown_for) in self.shown_for.iter().enumerate() {
            let mut pixels = Vec::with_capacity(n_bytes as usize);
            let read = (&mut stdout).take(n_bytes).read_to_end(&mut pixels);
            if read.when("reading what ffmpeg decodes", path)? < n_bytes as usize {
                return Ok(place);
            }
            let image = Image::new(self.width_px as usize, self.height_px as usize, pixels).at(path)?;
            frame(image, shown_for)?;
        }
        let more = io::copy(&mut stdout.take(1), &mut io::sink()).when("reading what ffmpeg decodes", path)?;
        Ok(self.shown_for.len() + more as usize)
    }
}

/// The arguments that name the file, without allowing any other file to be read.
fn input(path: &Path) -> [OsString; 8] {
    let mut file = OsString::from("file:");
    file.push(path);
    let [protocols, formats] = ["-protocol_whitelist", "-format_whitelist"].map(OsString::from);
    let quiet = ["-v", "error"].map(OsString::from);
    let [first, second] = quiet;
    let (local, containers) = ("file".into(), FORMATS.into());
    [first, second, protocols, local, formats, containers, "-i".into(), file]
}

/// How long each frame is shown, in microseconds: until the next one, and the last one for its own duration.
fn times(path: &Path, packets: &[Packet], shown: &[&Packet]) -> Result<Vec<Option<u32>>, FormatError> {
    let microseconds = |text: &Option<String>| match text {
        None => Ok(None),
        Some(text) => match text.parse::<f64>() {
            Ok(seconds) if seconds.abs() < 1e9 => Ok(Some((seconds * 1e6).round() as i64)),
            _ => Err(faulty(path, format!("a frame has the time {text:?}; expected seconds"))),
        },
    };
    let seconds = |time: i64| time as f64 / 1e6;
    let decoded = packets.iter().map(|packet| microseconds(&packet.dts_time)).collect::<Result<Vec<_>, _>>()?;
    let decoded: Vec<i64> = decoded.into_iter().flatten().collect();
    if let Some([before, after]) = decoded.array_windows().find(|[a, b]| a > b) {
        return Err(faulty(
            path,
            format!(
                "its times go back from {} to {} s; expected times that grow: write it again, such as with ffmpeg -fflags +genpts",
                seconds(*before),
                seconds(*after)
            ),
        ));
    }
    let starts = shown.iter().map(|packet| microseconds(&packet.pts_time)).collect::<Result<Option<Vec<i64>>, _>>()?;
    let Some(mut starts) = starts else {
        return Ok(vec![None; shown.len()]);
    };
    starts.sort_unstable();
    if let Some([time, _]) = starts.array_windows().find(|[a, b]| a == b) {
        return Err(faulty(
            path,
            format!(
                "two frames have the time {} s; expected times that grow: write it again, such as with ffmpeg -fflags +genpts",
                seconds(*time)
            ),
        ));
    }
    let mut lengths: Vec<i64> = starts.array_windows().map(|[a, b]| b - a).collect();
    let last = shown.iter().max_by_key(|packet| microseconds(&packet.pts_time).ok());
    let last = last.map(|packet| microseconds(&packet.duration_time)).transpose()?;
    let last = last.flatten().filter(|&length| length > 0).or(lengths.last().copied());
    let in_range = |length: i64| u32::try_from(length).unwrap_or(u32::MAX);
    lengths.extend(last);
    let mut shown_for: Vec<Option<u32>> = lengths.into_iter().map(in_range).map(Some).collect();
    shown_for.resize(shown.len(), None);
    Ok(shown_for)
}

/// The version of a program on the `PATH`. `path` is the file that needs it.
fn version(path: &Path, program: &'static str) -> Result<String, FormatError> {
    let output = run(path, program, &["-version".into()], output)?;
    match output.split_whitespace().skip_while(|word| *word != "version").nth(1) {
        Some(version) => Ok(version.to_owned()),
        None => Err(faulty(path, format!("{program} -version does not name a version"))),
    }
}

fn output(mut stdout: ChildStdout) -> Result<String, FormatError> {
    let mut text = Vec::new();
    let read = (&mut stdout).take(1 << 16).read_to_end(&mut text);
    read.and_then(|_| io::copy(&mut stdout, &mut io::sink())).when("reading its version", "ffmpeg")?;
    Ok(String::from_utf8_lossy(&text).into_owned())
}

/// Runs a program on a file and reads its output. If it fails, its last line is the reason.
fn run<T>(
    path: &Path,
    program: &'static str,
    arguments: &[OsString],
    read: impl FnOnce(ChildStdout) -> Result<T, FormatError>,
) -> Result<T, FormatError> {
    let failed = |action: &'static str| {
        move |source: io::Error| match source.kind() {
            io::ErrorKind::NotFound => {
                let lacks = format!("video files are decoded by ffmpeg, and {program} was not found on the PATH");
                Problem::new(format!("{lacks}; {INSTALL}, or write the frames into a folder for each clip")).at(path)
            }
            _ => Problem::Io(action, source).at(program),
        }
    };
    let mut child = Command::new(program)
        .args(arguments)
        .stdin(Stdio::null())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .map_err(failed("starting"))?;
    let (stdout, stderr) = (child.stdout.take(), child.stderr.take());
    let (found, complaint) = std::thread::scope(|scope| {
        let complaint = scope.spawn(|| stderr.map_or_else(String::new, last_line));
        let found = stdout.map(read);
        if !matches!(found, Some(Ok(_))) {
            // It may still be writing; if it has ended, this does nothing.
            let _ = child.kill();
        }
        (found, complaint.join().unwrap_or_default())
    });
    let status = child.wait().map_err(failed("waiting for"))?;
    match found {
        Some(Err(error)) => Err(error),
        Some(Ok(found)) if status.success() => Ok(found),
        _ => Err(faulty(
            path,
            match complaint.as_str() {
                "" => format!("{program} ended with {status}"),
                complaint => format!("{program} says: {complaint}"),
            },
        )),
    }
}

/// The last line that is not blank.
fn last_line(mut stderr: impl Read) -> String {
    let (mut last, mut buffer) = (Vec::new(), [0; 1 << 12]);
    while let Ok(n @ 1..) = stderr.read(&mut buffer) {
        last.extend_from_slice(&buffer[..n]);
        last.drain(..last.len().saturating_sub(buffer.len()));
    }
    let text = String::from_utf8_lossy(&last);
    let mut lines = text.lines().map(str::trim).filter(|line| !line.is_empty());
    lines.next_back().unwrap_or_default().to_owned()
}
