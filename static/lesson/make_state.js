// A lesson under construction, as plain values: beats, the scenes they stand on, claims. No page here.

import { MOST_WORDS, wordCount } from './model.js';

/** An empty draft. */
export const EMPTY_DRAFT = Object.freeze({ title: '', question: '', minutes: 5, scenes: {}, beats: [], claims: [], exercises: [], notes: '' });
const MAKE_SLUG = 40;

/** The slug made from a title: letters a to z, digits and hyphens; "lesson" where nothing is left. */
export function slugOf(title) {
  const plain = String(title).normalize('NFKD').replace(/\p{M}/gu, '').toLowerCase().replace(/[^a-z0-9]+/g, '-').replace(/^-+|-+$/g, '');
  return plain.slice(0, MAKE_SLUG).replace(/-+$/, '') || 'lesson';
}

const sceneKey = ({ problem, path }) => JSON.stringify([problem, path]);

/** Adds what `scene` asks for to the scene of the same problem and run, or a new one: {scenes, name}. */
export function withScene(scenes, scene) {
  const known = Object.keys(scenes).find((name) => sceneKey(scenes[name]) === sceneKey(scene));
  let number = Object.keys(scenes).length + 1;
  while (!known && `scene-${number}` in scenes) number += 1;
  const name = known || `scene-${number}`;
  const before = scenes[name] || { draws: 0, law: false, methods: [], n: 200, strings: [], place: '' };
  const merged = { ...before, ...scene, law: before.law || Boolean(scene.law), methods: scene.methods && scene.methods.length ? scene.methods : before.methods,
    n: scene.n || before.n, strings: scene.strings && scene.strings.length ? scene.strings : before.strings };
  return { name, scenes: { ...scenes, [name]: merged } };
}

/** The draft with a beat more. beat: {text, view, step, highlight, exact, predict}. */
export function addBeat(draft, beat, scene) {
  const { name, scenes } = withScene(draft.scenes, scene);
  return { ...draft, scenes, beats: [...draft.beats, { ...beat, scene: name }] };
}

/** The draft with beat `at` moved `by` places. */
export function moveBeat(draft, at, by) {
  const to = at + by;
  if (to < 0 || to >= draft.beats.length) return draft;
  const beats = [...draft.beats];
  const [beat] = beats.splice(at, 1);
  beats.splice(to, 0, beat);
  return { ...draft, beats };
}

/** The draft without item `at` of 'beats', 'claims' or 'exercises', and without the scenes that nothing names any more. */
export function without(draft, list, at) {
  const left = { ...draft, [list]: draft[list].filter((_, i) => i !== at) };
  const named = new Set([...left.beats.map((beat) => beat.scene), ...left.claims.flatMap((claim) => claim.checks.map((check) => check.scene))]);
  return { ...left, scenes: Object.fromEntries(Object.entries(left.scenes).filter(([name]) => named.has(name))) };
}

/** The draft with other words at beat `at`. */
export function reworded(draft, at, text) {
  return { ...draft, beats: draft.beats.map((beat, i) => (i === at ? { ...beat, text } : beat)) };
}

/** The draft with a claim of one check more, about `scene`. */
export function addClaim(draft, text, check, scene) {
  const { name, scenes } = withScene(draft.scenes, scene);
  return { ...draft, scenes, claims: [...draft.claims, { text, checks: [{ ...check, scene: name }] }] };
}

/** What is still missing before it can be saved, in words; [] when nothing is. */
export function missing({ title, question, beats, claims, scenes }, most = {}) {
  return [
    title.trim() ? null : 'a title', question.trim() ? null : 'the question that it answers', beats.length ? null : 'a beat', claims.length ? null : 'a claim',
    most.scenes && Object.keys(scenes).length > most.scenes ? `fewer scenes: it has ${Object.keys(scenes).length}, at most ${most.scenes} are recorded` : null,
  ].filter(Boolean);
}

/** Why a beat can't be added, in words; '' where it can. */
export function beatTrouble({ text, predict }, most = MOST_WORDS) {
  const words = wordCount(text);
  if (!words) return 'Write what is said at this beat.';
  if (words > most) return `${words} words; at most ${most} can be read from the last row.`;
  if (!predict) return '';
  if (!predict.question.trim()) return 'Write the question of the prediction.';
  if (predict.options.length < 2) return 'A prediction has two to five options, one a line.';
  if (predict.options.length > 5) return 'A prediction has at most five options.';
  return predict.answer >= 0 && predict.answer < predict.options.length ? '' : `The right option is one of 1 to ${predict.options.length}.`;
}

/** The draft as a lesson. The first scene is that of the first beat. */
export function toLesson(draft) {
  const names = [...new Set([...draft.beats.map((beat) => beat.scene), ...Object.keys(draft.scenes)])];
  return {
    v: 1, slug: slugOf(draft.title), title: draft.title.trim(), question: draft.question.trim(), minutes: draft.minutes,
    scenes: Object.fromEntries(names.map((name) => [name, draft.scenes[name]])), beats: draft.beats, claims: draft.claims, exercises: draft.exercises, notes: draft.notes.trim(), next: null, order: 100,
  };
}

/** A lesson as a draft again, to be changed: what `load` shows can be edited. */
export function fromLesson({ title, question, minutes, scenes, beats, claims, exercises, notes }) {
  let scene = Object.keys(scenes)[0];
  const named = beats.map((beat) => { scene = beat.scene || scene; return { ...beat, scene }; });
  return { title, question, minutes, scenes, beats: named, claims, exercises, notes };
}

/** A draft as it was kept, or an empty one where it is none. */
export function readDraft(text) {
  try {
    const kept = JSON.parse(text);
    const whole = kept && typeof kept.title === 'string' && typeof kept.question === 'string' && Array.isArray(kept.beats) && Array.isArray(kept.claims) && Array.isArray(kept.exercises || []) && kept.scenes && typeof kept.scenes === 'object';
    return whole ? { ...EMPTY_DRAFT, ...kept } : EMPTY_DRAFT;
  } catch {
    return EMPTY_DRAFT; // it was kept by nothing that knows drafts
  }
}
