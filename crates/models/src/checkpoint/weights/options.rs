//! Where weights may come from.

use crate::ModelEntry;
use std::fmt;
use std::path::{Path, PathBuf};
use std::time::Duration;

/// The address of the Hugging Face Hub.
const HUB: &str = "https://huggingface.co";
/// The only host that gets the token.
const HUB_HOST: &str = "huggingface.co";

/// A user's token for the Hugging Face Hub. `Debug` never prints it, only a placeholder.
#[derive(Clone, PartialEq, Eq)]
pub struct AccessToken(String);

impl AccessToken {
    pub fn new(token: impl Into<String>) -> Self {
        AccessToken(token.into())
    }

    pub(super) fn header(&self) -> String {
        format!("Bearer {}", self.0)
    }
}

impl fmt::Debug for AccessToken {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("AccessToken(hidden)")
    }
}

/// Where to look for weights, and whether they may be downloaded.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct WeightOptions {
    /// A folder given by the user: it holds the files of one model, or a folder `<id>` for each
    /// (`--weights DIR`, `NEUROGAUGE_WEIGHTS`).
    pub dir: Option<PathBuf>,
    /// May missing weights be downloaded?
    pub allow_download: bool,
    /// Has the environment declared this machine offline (`HF_HUB_OFFLINE`)? If so, nothing is downloaded, even with
    /// `allow_download`.
    pub offline: bool,
    /// Neurogauge's own cache (`NEUROGAUGE_CACHE`, else `neurogauge` in `XDG_CACHE_HOME` or
    /// `~/.cache`); `None` without a home folder.
    pub cache: Option<PathBuf>,
    /// The cache of the Hugging Face libraries (`HF_HUB_CACHE`, else `hub` in `HF_HOME`, else
    /// `huggingface/hub` in `XDG_CACHE_HOME` or `~/.cache`).
    pub hugging_face_cache: Option<PathBuf>,
    /// Folders in which other libraries keep single files that they downloaded: torch hub's (below
    /// `TORCH_HOME`, else `torch` in `XDG_CACHE_HOME` or `~/.cache`) and OpenAI CLIP's
    /// (`~/.cache/clip`).
    pub file_caches: Vec<PathBuf>,
    /// Address to download models of the Hub from (`HF_ENDPOINT`, else the Hugging Face Hub).
    pub endpoint: String,
    /// The user's token for the Hugging Face Hub (`HF_TOKEN`), for models that ask for an account.
    pub token: Option<AccessToken>,
    /// The only host that gets the token: the Hugging Face Hub's.
    pub token_host: String,
    /// May files come over plain http from another machine (`NEUROGAUGE_ALLOW_HTTP`)? Anyone on the way could change
    /// them.
    pub allow_http: bool,
    /// How long to wait before a download is tried again the first time; twice as long each further time.
    pub retry_pause: Duration,
    /// A download that receives nothing for this long is aborted and tried again.
    pub stall: Duration,
    /// A larger file is refused, bytes.
    pub size_cap: u64,
}

impl Default for WeightOptions {
    /// No folder, no cache, no download, and no pause before a retry.
    fn default() -> Self {
        WeightOptions {
            dir: None,
            allow_download: false,
            offline: false,
            cache: None,
            hugging_face_cache: None,
            file_caches: Vec::new(),
            endpoint: HUB.to_owned(),
            token: None,
            token_host: HUB_HOST.to_owned(),
            allow_http: false,
            retry_pause: Duration::ZERO,
            stall: Duration::from_secs(60),
            size_cap: 40_000_000_000,
        }
    }
}

impl WeightOptions {
    /// The options from environment variables; downloads are allowed.
    pub fn from_env() -> Self {
        Self::from_variables(&|name| std::env::var(name).ok(), std::env::home_dir().as_deref())
    }

    /// Like [`from_env`](Self::from_env), with this folder; downloads need `allow_download` too.
    pub fn given(dir: Option<&Path>, allow_download: bool) -> Self {
        let options = Self::from_env();
        WeightOptions {
            dir: dir.map(Path::to_owned).or(options.dir),
            allow_download: options.allow_download && allow_download,
            ..options
        }
    }

    fn from_variables(variable: &dyn Fn(&str) -> Option<String>, home: Option<&Path>) -> Self {
        // An empty variable counts as unset, as in the shell's own `${VAR:-default}`.
        let variable = |name: &str| variable(name).filter(|value| !value.is_empty());
        let path = |name: &str| variable(name).map(PathBuf::from);
        let cache_home = path("XDG_CACHE_HOME").or_else(|| home.map(|home| home.join(".cache")));
        let below_cache_home = |tail: &str| cache_home.as_ref().map(|cache| cache.join(tail));
        let torch_hub =
            path("TORCH_HOME").or_else(|| below_cache_home("torch")).map(|torch| torch.join("hub/checkpoints"));
        let clip = home.map(|home| home.join(".cache/clip"));
        WeightOptions {
            dir: path("NEUROGAUGE_WEIGHTS"),
            allow_download: true,
            offline: variable("HF_HUB_OFFLINE").is_some_and(|value| is_true(&value)),
            cache: path("NEUROGAUGE_CACHE").or_else(|| below_cache_home("neurogauge")),
            hugging_face_cache: path("HF_HUB_CACHE")
                .or_else(|| path("HF_HOME").map(|hf| hf.join("hub")))
                .or_else(|| below_cache_home("huggingface/hub")),
            file_caches: torch_hub.into_iter().chain(clip).collect(),
            endpoint: variable("HF_ENDPOINT").unwrap_or_else(|| HUB.to_owned()),
            token: variable("HF_TOKEN").map(AccessToken::new),
            allow_http: variable("NEUROGAUGE_ALLOW_HTTP").is_some_and(|value| is_true(&value)),
            retry_pause: Duration::from_secs(1),
            ..WeightOptions::default()
        }
    }

    /// A model's folder in Neurogauge's own cache.
    pub fn cached(&self, entry: &ModelEntry) -> Option<PathBuf> {
        Some(self.cache.as_ref()?.join("models").join(entry.id).join(entry.revision))
    }
}

fn is_true(value: &str) -> bool {
    matches!(value.to_ascii_uppercase().as_str(), "1" | "ON" | "YES" | "TRUE")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn options(variables: &[(&str, &str)]) -> WeightOptions {
        WeightOptions::from_variables(
            &|name| Some(variables.iter().find(|(key, _)| *key == name)?.1.to_owned()),
            Some(Path::new("/home/ada")),
        )
    }

    #[test]
    fn without_variables_the_caches_are_in_the_home_folder() {
        let options = options(&[]);
        assert_eq!(options.dir, None);
        assert!(options.allow_download && !options.offline);
        assert_eq!(options.cache, Some("/home/ada/.cache/neurogauge".into()));
        assert_eq!(options.hugging_face_cache, Some("/home/ada/.cache/huggingface/hub".into()));
        assert_eq!(
            options.file_caches,
            [PathBuf::from("/home/ada/.cache/torch/hub/checkpoints"), PathBuf::from("/home/ada/.cache/clip")]
        );
        assert_eq!(options.endpoint, "https://huggingface.co");
    }

    #[test]
    fn the_more_specific_variable_wins() {
        let set = options(&[
            ("XDG_CACHE_HOME", "/xdg"),
            ("HF_HOME", "/hf"),
            ("TORCH_HOME", "/torch"),
            ("HF_ENDPOINT", "https://mirror.example"),
            ("NEUROGAUGE_WEIGHTS", "/weights"),
        ]);
        assert_eq!(set.cache, Some("/xdg/neurogauge".into()));
        assert_eq!(set.hugging_face_cache, Some("/hf/hub".into()));
        assert_eq!(set.endpoint, "https://mirror.example");
        assert_eq!(set.file_caches[0], PathBuf::from("/torch/hub/checkpoints"));
        assert_eq!(set.dir, Some("/weights".into()));

        let set = options(&[("HF_HOME", "/hf"), ("HF_HUB_CACHE", "/hub"), ("NEUROGAUGE_CACHE", "/own")]);
        assert_eq!(set.hugging_face_cache, Some("/hub".into()));
        assert_eq!(set.cache, Some("/own".into()));
    }

    #[test]
    fn a_token_is_read_and_never_shown() {
        let options = options(&[("HF_TOKEN", "hf_secret"), ("NEUROGAUGE_ALLOW_HTTP", "1")]);
        assert_eq!(options.token, Some(AccessToken::new("hf_secret")));
        assert!(!format!("{options:?}").contains("secret"));
        assert_eq!(options.token_host, "huggingface.co");
        assert!(options.allow_http);
    }

    #[test]
    fn offline_takes_the_spellings_of_the_hugging_face_libraries() {
        for (value, offline) in [("1", true), ("true", true), ("ON", true), ("0", false), ("", false)] {
            assert_eq!(options(&[("HF_HUB_OFFLINE", value)]).offline, offline, "{value:?}");
        }
    }
}
