"""Goldens for the WordNet reader: base forms, synsets and synonyms as NLTK finds them.

The reference is NLTK's WordNetCorpusReader and WordNetLemmatizer on the files of Debian's package wordnet-base (WordNet
3.0). These lack the file `lexnames`, which NLTK needs for names of lexicographer files; its content is written here
from WordNet's manual, lexnames(5WN). The map between versions of WordNet, whose files are also missing, is switched
off.

`listings`: for every lemma of every index file, one line in the format of `listing_line`; the SHA-256 of the lines is
stored for each part of speech and first character. `exceptions`: the same for all irregular forms. `fields`: for every
lemma of every index file, the lexicographer files of its synsets and the nouns whose values these are, as a SHA-256 for
each part of speech. `cases`: words with full results.

Run from `reference/` with nltk as pinned in requirements.txt; `make test` fetches the files for this script, or
NEUROGAUGE_TEST_WORDNET names their folder. Writes golden/wordnet.json.
"""

import hashlib
import json
import shutil
import tempfile
from pathlib import Path

import nltk
from nltk.corpus.reader.wordnet import WordNetCorpusReader
from nltk.data import FileSystemPathPointer

from places import WORDNET

PARTS = "nvar"

LEXNAMES = """
adj.all adj.pert adv.all noun.Tops noun.act noun.animal noun.artifact noun.attribute noun.body
noun.cognition noun.communication noun.event noun.feeling noun.food noun.group noun.location noun.motive
noun.object noun.person noun.phenomenon noun.plant noun.possession noun.process noun.quantity
noun.relation noun.shape noun.state noun.substance noun.time verb.body verb.change verb.cognition
verb.communication verb.competition verb.consumption verb.contact verb.creation verb.emotion verb.motion
verb.perception verb.possession verb.social verb.stative verb.weather adj.ppl
""".split()
CATEGORIES = {"noun": 1, "verb": 2, "adj": 3, "adv": 4}

# Plain words, irregular forms, endings that look like inflections, capitals, phrases, and words that no dictionary has.
CASES = """
dog dogs men man mens women children feet geese mice oxen wolves knives leaves halves wives calves loaves
hooves roofs cliffs chefs glasses gas gases buses boxes foxes quizzes waltzes churches watches dishes
bushes ladies berries cities ties pies shoes zombies firemen snowmen humans sheep fish series species us
as was is has does goes his this its bus lens scissors pants trousers stairs people data media criteria
running ran run runs hopping hoping hoped stopped stopping making made makes lying lay laid sitting sat
standing wearing wore worn holding held riding rode flying flew flown eating ate eaten drove swimming swam
better best good well worse worst nicer nicest bigger biggest happier happiest larger greater eldest far
further quickly fast faster hardly red reddish wooden furry stainless striped parked grilled polar
car automobile truck lorry bicycle bike motorbike aeroplane airplane plane train boat ship sofa couch
television tv laptop keyboard mouse refrigerator fridge toaster microwave oven sink toilet vase teddy
teddy_bear teddy_bears traffic_light traffic_lights stop_sign fire_hydrant hot_dog hot_dogs
New_York new_york new_york_city United_States u.s. U.S. 'hood .22 1900s 7-up attorneys_general
mothers-in-law passers-by runners-up hangers-on man-of-war men-of-war able unable galore afloat
asleep alive alone ago elect designate afraid parvenu jeopardise colour color grey gray theatre
Dog DOGS Men Cat catss hardrock aardwolves abaci axes bases ellipses crises analyses matrices vertices
indices appendices oases theses diagnoses saw leaf left felt found ground bound wound round lit cut
used broken frozen painted seated standing_up look_up looked_up looking_up take_off took_off s es ed ing
er est men- ves ies y x _ __ - . , zzz qwerty florb grumbleflonk naïve café straße ÉCLAIR éclair
éclairs Ωmega ſ İstanbul
"""
PHRASES = [
    "traffic lights",
    "traffic light",
    "New York",
    "stop sign",
    "teddy bears",
    "hot dog",
    "",
    " ",
    "  dog",
    "dog ",
    "United States of America",
    "man in a suit",
    "polar bear",
    "polar bears",
]


class Reader(WordNetCorpusReader):
    def map_wn(self, version="wordnet"):
        return None


def open_reader(folder: Path) -> Reader:
    with tempfile.TemporaryDirectory() as made:
        for file in folder.resolve().iterdir():
            shutil.copy(file, made)
        names = "".join(f"{i:02d}\t{name}\t{CATEGORIES[name.split('.')[0]]}\n" for i, name in enumerate(LEXNAMES))
        (Path(made) / "lexnames").write_text(names)
        nltk.data.path.append(made)  # NLTK only reads folders that are listed there.
        reader = Reader(FileSystemPathPointer(made), None)
        for part in PARTS:
            reader._data_file(part)
    return reader


def lemmatize(reader: Reader, word: str, part: str) -> str:
    """What nltk.stem.WordNetLemmatizer.lemmatize computes, with this reader."""
    lemmas = reader._morphy(word, part)
    return min(lemmas, key=len) if lemmas else word


def synonyms(reader: Reader, phrase: str) -> list[str]:
    synsets = reader.synsets(phrase.replace(" ", "_"))
    return sorted({name for synset in synsets for name in synset.lemma_names()})


def derived(reader: Reader, lemma: str, part: str) -> list[str]:
    """Every form that an ending rule of this part of speech reduces to `lemma`."""
    rules = reader.MORPHOLOGICAL_SUBSTITUTIONS[part]
    return [lemma[: len(lemma) - len(base)] + ending for ending, base in rules if lemma.endswith(base)]


def base_forms(reader: Reader, word: str) -> str:
    return ";".join(",".join(reader._morphy(word, part)) for part in PARTS)


def listing_line(reader: Reader, lemma: str, part: str) -> str:
    """Base forms by part of speech; forms derived from the lemma, and the lemma; synsets; synonyms."""
    forms = [
        f"{form}={','.join(reader._morphy(form, part))}={lemmatize(reader, form, part)}"
        for form in derived(reader, lemma, part)
    ]
    synsets = [f"{synset.pos()}{synset.offset():08d}" for synset in reader.synsets(lemma)]
    columns = [
        lemma,
        base_forms(reader, lemma),
        ";".join(forms),
        ",".join(synsets),
        ",".join(synonyms(reader, lemma)),
    ]
    return "\t".join(columns) + "\n"


def attributes(synset) -> list[str]:
    """The nouns of which an adjective is a value; for a satellite without any, those of its head. Nouns also point back
    to adjectives, which is not compared."""
    if synset.pos() not in "as":
        return []
    found = synset.attributes()
    if not found and synset.pos() == "s":
        found = [noun for head in synset.similar_tos() for noun in head.attributes()]
    return sorted(f"{noun.pos()}{noun.offset():08d}" for noun in found)


def fields(reader: Reader, lemma: str, part: str | None = None) -> list[str]:
    return [" ".join([synset.lexname(), *attributes(synset)]) for synset in reader.synsets(lemma, part)]


def main() -> None:
    reader = open_reader(WORDNET)
    listings, of_fields = {}, {}
    for part in PARTS:
        digests, of_part = {}, hashlib.sha256()
        lemmas = sorted(lemma for lemma, parts in reader._lemma_pos_offset_map.items() if part in parts)
        for lemma in lemmas:
            digest = digests.setdefault(lemma[0], hashlib.sha256())
            digest.update(listing_line(reader, lemma, part).encode())
            of_part.update(f"{lemma}\t{','.join(fields(reader, lemma, part))}\n".encode())
        of_fields[part] = of_part.hexdigest()
        listings[part] = {
            "lemmas": len(lemmas),
            "sha256": {first: digest.hexdigest() for first, digest in digests.items()},
        }
    exceptions = {}
    for part in PARTS:
        digest = hashlib.sha256()
        for form in sorted(reader._exception_map[part]):
            line = f"{form}\t{base_forms(reader, form)}\t{lemmatize(reader, form, part)}\n"
            digest.update(line.encode())
        exceptions[part] = digest.hexdigest()
    cases = [
        {
            "word": word,
            "base_forms": {part: reader._morphy(word, part) for part in PARTS},
            "lemma": {part: lemmatize(reader, word, part) for part in PARTS},
            "synsets": [f"{s.pos()}{s.offset():08d}" for s in reader.synsets(word)],
            "fields": fields(reader, word),
            "synonyms": synonyms(reader, word),
        }
        for word in dict.fromkeys(CASES.split() + PHRASES)
    ]
    golden = {
        "version": reader.get_version(),
        "listings": listings,
        "exceptions": exceptions,
        "fields": of_fields,
        "cases": cases,
    }
    with open("golden/wordnet.json", "w", encoding="utf-8") as file:
        file.write("{\n")
        for key in ("version", "listings", "exceptions", "fields"):
            file.write(f' "{key}": {json.dumps(golden[key])},\n')
        rows = ",\n".join("  " + json.dumps(case, ensure_ascii=False) for case in cases)
        file.write(f' "cases": [\n{rows}\n ]\n}}\n')


if __name__ == "__main__":
    main()
