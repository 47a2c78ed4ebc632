//! A running observer.

use super::background_writer::keeping;
use super::batches::{in_batches, n_workers};
use super::{Done, Executor, Items, Observer, Sink};
use crate::Error;
use crate::settings::OnFailure;
use neurogauge_models::{KernelError, ModelError};
use std::collections::HashMap;
use std::ops::Deref;
use std::sync::atomic::{AtomicUsize, Ordering};

/// A model in memory: owned by the session, or borrowed from a caller who keeps it.
pub(crate) enum Model<'a, M: ?Sized> {
    Own(Box<M>),
    Lent(&'a M),
}

impl<M: ?Sized> Deref for Model<'_, M> {
    type Target = M;

    fn deref(&self) -> &M {
        match self {
            Model::Own(model) => model,
            Model::Lent(model) => model,
        }
    }
}

/// An observer whose model is read when the first item needs it and dropped when the session ends, so that only one
/// model is in memory at a time.
pub(crate) struct Session<'a, O: Observer> {
    pub(crate) observer: O,
    pub(crate) executor: Executor<'a>,
    model: Option<Model<'a, O::Model>>,
}

/// The outcome: the failed items with reasons, in order, and the number of items that the model had to observe.
pub(crate) struct Seen {
    pub(crate) failures: Vec<(usize, String)>,
    pub(crate) n_seen: usize,
}

impl<'a, O: Observer> Session<'a, O> {
    pub(crate) fn new(observer: O, executor: Executor<'a>) -> Self {
        Session {
            observer,
            executor,
            model: None,
        }
    }

    pub(crate) fn with_model(self, model: Option<Model<'a, O::Model>>) -> Self {
        Session { model, ..self }
    }

    /// Observes the items that the sink lacks. `stage` is the name of the progress stage.
    pub(crate) fn observe<I: Items<Item = O::Item> + ?Sized>(
        &mut self,
        items: &I,
        stage: &str,
        sink: &mut impl Sink<O::Output>,
    ) -> Result<Seen, Error> {
        let n_items = items.len();
        let range = self.executor.shard.map_or(0..n_items, |shard| items.of_shard(shard));
        let n_of_shard = range.len();
        let missing: Vec<usize> = range.filter(|&item| sink.lacks(item)).collect();
        let (missing, copies) = once_each(missing, sink);
        if missing.is_empty() {
            return Ok(Seen {
                failures: Vec::new(),
                n_seen: 0,
            });
        }
        let model = match self.model.take() {
            Some(model) => model,
            None => {
                let id = &self.observer.identity().id;
                self.executor.progress.detail(&format!("loading {id}"));
                Model::Own(self.observer.load()?)
            }
        };
        let progress = self.executor.progress;
        let done = n_of_shard - missing.len();
        progress.start(stage, n_of_shard as u64, done as u64);
        let failures = self.observe_missing(&missing, items, &model, sink);
        progress.finish();
        self.model = Some(model);
        let mut failures = failures?;
        let reasons: HashMap<usize, String> = failures.iter().cloned().collect();
        failures.extend(copies.into_iter().filter_map(|(item, of)| Some((item, reasons.get(&of)?.clone()))));
        failures.sort_by_key(|(item, _)| *item);
        Ok(Seen {
            failures,
            n_seen: missing.len(),
        })
    }

    fn observe_missing<I: Items<Item = O::Item> + ?Sized>(
        &self,
        missing: &[usize],
        items: &I,
        model: &O::Model,
        sink: &mut impl Sink<O::Output>,
    ) -> Result<Vec<(usize, String)>, Error> {
        let (observer, progress) = (&self.observer, self.executor.progress);
        let stops = self.executor.on_failure == OnFailure::Stop;
        let prepare = |item: usize| {
            let failure = match items.load(item) {
                Ok(loaded) => match observer.prepare(loaded) {
                    Ok(input) => return Ok(Ok(input)),
                    Err(error) if stops => return Err(items.blame(item, error)),
                    Err(error) => error.to_string(),
                },
                Err(error) if stops => return Err(error),
                Err(error) => error.to_string(),
            };
            Ok(Err(failure))
        };
        let (mut not_prepared, mut not_observed) = (Vec::new(), Vec::new());
        let keep = |outputs: Vec<(usize, Result<O::Output, ModelError>)>| {
            let mut results = Vec::with_capacity(outputs.len());
            let mut failure = None;
            for (item, output) in outputs {
                let output = match output {
                    Ok(output) => sink.check(item, &output).map(|()| output),
                    Err(error) if stops => Err(items.blame(item, error)),
                    // The reason is printed after the item's name.
                    Err(error) => Err(error.into()),
                };
                match output {
                    Ok(output) => results.push((item, output)),
                    Err(error) if stops => {
                        failure = Some(error);
                        break;
                    }
                    Err(error) => not_observed.push((item, error.to_string())),
                }
            }
            sink.put(results)?;
            failure.map_or(Ok(()), Err)
        };
        let batch = observer.batch(model);
        let mut observe = |of_batch: &[usize], prepared: Vec<_>, take: &mut Done<'_, O::Output>| {
            let mut inputs = Vec::with_capacity(batch);
            let mut of_inputs = Vec::with_capacity(batch);
            for (&item, prepared) in of_batch.iter().zip(prepared) {
                match prepared {
                    Ok(input) => {
                        inputs.push(input);
                        of_inputs.push(item);
                    }
                    Err(reason) => not_prepared.push((item, reason)),
                }
            }
            // The progress bar moves within a batch, but never beyond its end.
            let shown = AtomicUsize::new(0);
            let advance = |n: usize| {
                let before = shown.fetch_add(n, Ordering::Relaxed);
                let room = of_batch.len().saturating_sub(before);
                progress.advance(n.min(room) as u64);
            };
            let mut done = |outputs: Vec<(usize, _)>| {
                take(outputs.into_iter().map(|(place, output)| (of_inputs[place], output)).collect())
            };
            observer.observe_each(model, inputs, &advance, &mut done)?;
            advance(of_batch.len());
            Ok(())
        };
        keeping(O::KEPT_AT_ONCE, keep, |take| {
            in_batches(missing, (n_workers(), batch), prepare, |of_batch, prepared| observe(of_batch, prepared, take))
        })?;
        let mut failures = not_prepared;
        failures.append(&mut not_observed);
        Ok(failures)
    }
}

/// The first item of each content, and the other items, each with the first item of its content.
fn once_each<T>(items: Vec<usize>, sink: &impl Sink<T>) -> (Vec<usize>, Vec<(usize, usize)>) {
    let mut first_of: HashMap<&str, usize> = HashMap::new();
    let (mut firsts, mut copies) = (Vec::new(), Vec::new());
    for item in items {
        let first = sink.content(item).map(|content| *first_of.entry(content).or_insert(item));
        match first {
            Some(first) if first != item => copies.push((item, first)),
            _ => firsts.push(item),
        }
    }
    (firsts, copies)
}

/// The observation of each item. If the batch fails, items are observed one by one to find the faulty one.
pub(crate) fn observe_batch<O: Observer>(
    observer: &O,
    model: &O::Model,
    inputs: &[O::Input],
    progress: &(dyn Fn(usize) + Sync),
) -> Result<Vec<Result<O::Output, ModelError>>, Error> {
    if inputs.is_empty() {
        return Ok(Vec::new());
    }
    match observer.observe(model, inputs, progress) {
        Ok(outputs) => Ok(outputs.into_iter().map(Ok).collect()),
        Err(error) if !is_of_an_item(&error) => Err(error.into()),
        Err(error) if inputs.len() == 1 => Ok(vec![Err(error)]),
        Err(_) => {
            let mut all = Vec::with_capacity(inputs.len());
            for input in inputs.chunks(1) {
                all.extend(observe_batch(observer, model, input, progress)?);
            }
            Ok(all)
        }
    }
}

/// Does the error concern only one item, so that others may still be observed?
fn is_of_an_item(error: &ModelError) -> bool {
    matches!(error, ModelError::Item(_) | ModelError::Kernel(KernelError::Logits { .. }))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::execute::{About, FailedItem, Images, Keyed, prefix};
    use crate::progress::Silent;
    use crate::settings::Shard;
    use neurogauge_core::{Image, ModelIdentity, ObservationKind, Role};
    use neurogauge_formats::image_source::ImageSource;
    use neurogauge_formats::input_record::InputRecord;
    use neurogauge_formats::npy;
    use neurogauge_formats::store::{ContentKey, Journal, Store};
    use neurogauge_models::{Captioner, ColourWords};

    /// Returns the value of the first pixel; fails for an item with 0.75, and fails for the whole batch at 1.
    struct FirstPixel(ModelIdentity);

    /// Counts its instances in memory.
    struct Counted<'a>(&'a AtomicUsize);

    static IN_MEMORY: AtomicUsize = AtomicUsize::new(0);

    impl Drop for Counted<'_> {
        fn drop(&mut self) {
            self.0.fetch_sub(1, Ordering::SeqCst);
        }
    }

    impl Observer for FirstPixel {
        type Item = Image<f32>;
        type Recipe = ModelIdentity;
        type Model = Counted<'static>;
        type Input = f32;
        type Output = String;

        const ABOUT: About = About::of("first pixel", "1", ObservationKind::Answers, 3);

        fn identity(&self) -> &ModelIdentity {
            &self.0
        }

        fn recipe(&self) -> &ModelIdentity {
            &self.0
        }

        fn load(&self) -> Result<Box<Counted<'static>>, Error> {
            IN_MEMORY.fetch_add(1, Ordering::SeqCst);
            Ok(Box::new(Counted(&IN_MEMORY)))
        }

        fn prepare(&self, image: Image<f32>) -> Result<f32, ModelError> {
            Ok(image.at(0, 0, 0))
        }

        fn observe(
            &self,
            _model: &Counted<'static>,
            values: &[f32],
            _progress: &(dyn Fn(usize) + Sync),
        ) -> Result<Vec<String>, ModelError> {
            if values.contains(&1.0) {
                return Err(ModelError::PillowAntialias);
            }
            if values.contains(&0.75) {
                return Err(ModelError::item("no"));
            }
            Ok(values.iter().map(f32::to_string).collect())
        }
    }

    /// The outcome for one source of images.
    struct Observed {
        /// For each image, the key of its observation in the store, if there is one.
        keys: Vec<Option<ContentKey>>,
        failed: Vec<FailedItem>,
        /// Number of images that the model had to observe.
        n_seen: usize,
    }

    /// A source with grey images of these values, a journal, and observers.
    struct Setting {
        dir: tempfile::TempDir,
        source: ImageSource,
        record: InputRecord,
    }

    impl Setting {
        fn of(values: &[f32]) -> Self {
            let dir = tempfile::tempdir().unwrap();
            let path = dir.path().join("images.npy");
            let pixels: Vec<f32> = values.iter().flat_map(|value| [*value; 3]).collect();
            npy::write_f32(&path, &[values.len() as u64, 1, 1, 3], &pixels).unwrap();
            let source = ImageSource::open(&path).unwrap();
            let record = InputRecord::of_items(Role::IMAGES, &source, &Silent).unwrap();
            Setting { dir, source, record }
        }

        fn journal(&self) -> Journal<String> {
            Journal::open(&self.dir.path().join("journal.jsonl")).unwrap()
        }

        fn observe(&self, on_failure: OnFailure, shard: Option<Shard>) -> Result<Observed, Error> {
            let executor = Executor {
                progress: &Silent,
                on_failure,
                shard,
            };
            let observer = FirstPixel(ColourWords.identity().clone());
            self.observe_in(&mut Session::new(observer, executor))
        }

        fn observe_in(&self, session: &mut Session<'_, FirstPixel>) -> Result<Observed, Error> {
            let images = Images {
                source: &self.source,
                record: &self.record,
                are_frames: false,
            };
            let (prefix, mut store) = (prefix(&session.observer)?, self.journal());
            let items = self.record.items.iter();
            let keys: Vec<_> = items.map(|(_, sha256)| prefix.key(&[&self.record.form, sha256])).collect();
            let mut sink = Keyed {
                keys: &keys,
                store: &mut store,
            };
            let Seen { failures, n_seen } = session.observe(&images, "", &mut sink)?;
            let failures = failures.into_iter().map(|(item, reason)| (self.source.stems()[item].as_str(), reason));
            let failed = session.executor.failed(("image", &self.record.role), failures);
            let keys = keys.into_iter().map(|key| store.holds(&key).then_some(key)).collect();
            Ok(Observed { keys, failed, n_seen })
        }

        fn said(&self, observed: &Observed) -> Vec<Option<String>> {
            let journal = self.journal();
            let said = |key: &Option<ContentKey>| journal.get(key.as_ref()?).unwrap();
            observed.keys.iter().map(said).collect()
        }
    }

    const VALUES: [f32; 7] = [0.0, 0.125, 0.25, 0.5, 0.75, 0.875, 0.375];

    #[test]
    fn the_one_image_at_fault_is_found_among_those_it_came_with() {
        let setting = Setting::of(&VALUES);
        let observed = setting.observe(OnFailure::Skip, None).unwrap();
        let expected = VALUES.map(|value| (value != 0.75).then(|| value.to_string()));
        assert_eq!(setting.said(&observed), expected);
        assert_eq!(observed.n_seen, 7);
        let [failed] = &observed.failed[..] else {
            panic!("{:?}", observed.failed);
        };
        assert_eq!((failed.role.as_str(), failed.stem.as_str()), ("images", "4"));
        let again = setting.observe(OnFailure::Skip, None).unwrap();
        assert_eq!(again.n_seen, 1);
    }

    #[test]
    fn images_of_the_same_content_are_observed_once_for_all() {
        let setting = Setting::of(&[0.5, 0.75, 0.5, 0.25, 0.75, 0.5]);
        let observed = setting.observe(OnFailure::Skip, None).unwrap();
        assert_eq!(observed.n_seen, 3, "0.5, 0.75 and 0.25");
        let said = |value: f32| (value != 0.75).then(|| value.to_string());
        let expected = [0.5, 0.75, 0.5, 0.25, 0.75, 0.5].map(said);
        assert_eq!(setting.said(&observed), expected);
        // If one image fails, its copies fail too.
        let failed = observed.failed.iter().map(|failed| failed.stem.as_str());
        assert_eq!(failed.collect::<Vec<_>>(), ["1", "4"]);
    }

    #[test]
    fn a_fault_that_is_no_image_s_stops() {
        let setting = Setting::of(&[0.0, 1.0]);
        assert!(setting.observe(OnFailure::Skip, None).is_err());
    }

    #[test]
    fn a_failed_image_stops_where_it_is_to_and_what_precedes_it_is_kept() {
        let setting = Setting::of(&VALUES);
        let error = setting.observe(OnFailure::Stop, None).err().unwrap();
        assert!(error.to_string().contains("image \"4\""), "{error}");
        let again = setting.observe(OnFailure::Skip, None).unwrap();
        assert_eq!(again.n_seen, 3);
    }

    #[test]
    fn shards_in_any_order_repeated_or_not_make_the_whole() {
        let of = std::num::NonZeroUsize::new(3).unwrap();
        let setting = Setting::of(&VALUES);
        for (index, n_seen) in [(2, 3), (0, 2), (2, 1), (1, 2)] {
            let shard = Some(Shard { index, of });
            let observed = setting.observe(OnFailure::Skip, shard).unwrap();
            assert_eq!(observed.n_seen, n_seen, "{index}");
        }
        let observed = setting.observe(OnFailure::Skip, None).unwrap();
        let expected = VALUES.map(|value| (value != 0.75).then(|| value.to_string()));
        assert_eq!((setting.said(&observed), observed.n_seen), (expected.to_vec(), 1));
    }

    #[test]
    fn a_model_is_in_memory_as_long_as_its_session() {
        /// A separate counter: other tests load models too.
        static ALIVE: AtomicUsize = AtomicUsize::new(0);
        let setting = Setting::of(&VALUES[..4]);
        let executor = Executor {
            progress: &Silent,
            on_failure: OnFailure::Skip,
            shard: None,
        };
        for round in 0..3 {
            let mut identity = ColourWords.identity().clone();
            identity.revision = round.to_string();
            ALIVE.fetch_add(1, Ordering::SeqCst);
            let model = Model::Own(Box::new(Counted(&ALIVE)));
            let mut session = Session::new(FirstPixel(identity), executor).with_model(Some(model));
            setting.observe_in(&mut session).unwrap();
            assert_eq!(ALIVE.load(Ordering::SeqCst), 1, "in use, and no other");
            drop(session);
            assert_eq!(ALIVE.load(Ordering::SeqCst), 0);
        }
    }
}
