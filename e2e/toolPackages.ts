import { strToU8, zipSync } from "fflate";
import { head } from "./packages.ts";

// Imitations of packages published by authoring tools, written from the documentation of their vendors: what they
// expose to the surrounding page

/**
 * A package in the manner of Storyline: GetPlayer() returns a player whose variables have GetVar and SetVar; JavaScript
 * triggers run in the window of the player when a variable changes (articulate.com, "JavaScript Best Practices and
 * Examples"). The names of the project's variables are in html5/data/js/data.js.
 */
export function storylinePackage(script = "") {
  const page =
    head(`<script src="html5/data/js/data.js"></script><button id="seven">Seven</button><p id="rating"></p><script>
const values = { SelfRating: 0, Comment: '', Secret: '' }
const triggers = {}
window.GetPlayer = () => ({
  GetVar: (name) => values[name],
  SetVar: (name, value) => {
    if (values[name] === value) return
    values[name] = value
    show();
    (triggers[name] || []).forEach(run)
  },
})
const run = (code) => new Function(code)()
const show = () => { document.getElementById('rating').textContent = values.SelfRating }
show()
// Triggers as an author adds them: one for a change of a variable, one for the start of the timeline.
window.onVariable = (name, code) => { (triggers[name] ||= []).push(code) }
window.onTimeline = run
document.getElementById('seven').onclick = () => {
  const player = GetPlayer()
  player.SetVar('Secret', 'not for you')
  player.SetVar('SelfRating', 7)
}
${script}
</script>`);
  const names = Object.entries({ SelfRating: 0, Comment: "", Secret: "" }).map(([name, value]) => ({
    kind: "variable",
    name,
    value,
  }));
  return {
    name: "storyline.zip",
    bytes: zipSync({
      "story.html": strToU8(page),
      "html5/data/js/data.js": strToU8(
        `window.globalProvideData = () => {};
window.globalProvideData('data', '${JSON.stringify({ variables: names })}');`,
      ),
    }),
  };
}

/**
 * A package in the manner of Captivate: window.cpAPIInterface has getVariableValue and setVariableValue for the
 * variables of the project (helpx.adobe.com, "Common JavaScript interface").
 */
export function captivatePackage() {
  const page = head(`<button id="answer">Answer</button><script>
const values = { v_mood: '', v_secret: '', cpInfoCurrentSlide: 1 }
window.cpAPIInterface = {
  getVariableValue: (name) => values[name],
  setVariableValue: (name, value) => { values[name] = value },
}
document.getElementById('answer').onclick = () => {
  cpAPIInterface.setVariableValue('v_mood', 'calm')
  cpAPIInterface.setVariableValue('v_secret', 'x')
}
</script>`);
  return { name: "captivate.zip", bytes: zipSync({ "index.html": strToU8(page) }) };
}

/**
 * A page in the manner of H5P, in a frame: H5P.externalDispatcher tells listeners of "xAPI" statements as
 * event.data.statement; content within the content has a subContentId in the extensions of its object (h5p.org,
 * "xAPI").
 */
export function h5pPackage() {
  const page = head(`<button id="answer">Answer</button><script>
const listeners = []
window.H5P = { externalDispatcher: { on: (type, listener) => { if (type === 'xAPI') listeners.push(listener) } } }
const state = (verb, result, subContentId) => {
  const extensions = {
    'http://h5p.org/x-api/h5p-local-content-id': 1,
    ...(subContentId && { 'http://h5p.org/x-api/h5p-subContentId': subContentId }),
  }
  const statement = {
    verb: { id: 'http://adlnet.gov/expapi/verbs/' + verb },
    object: { objectType: 'Activity', definition: { extensions } },
    ...(result && { result }),
  }
  listeners.forEach((listener) => listener({ data: { statement } }))
}
document.getElementById('answer').onclick = () => {
  state('interacted', null, 'a1')
  state('answered', { response: '1[,]2', score: { min: 0, raw: 1, max: 2, scaled: 0.5 }, success: false }, 'a1')
  state('answered', { response: 'not chosen' }, 'b2')
  state('completed', { score: { min: 0, raw: 4, max: 5, scaled: 0.8 }, completion: true, success: true })
}
</script>`);
  const content = { questions: [{ subContentId: "a1", metadata: { title: "Choose two" } }, { subContentId: "b2" }] };
  return {
    name: "h5p.zip",
    bytes: zipSync({
      "index.html": strToU8(head('<iframe src="quiz.html" width="400" height="200"></iframe>')),
      "quiz.html": strToU8(page),
      "h5p/h5p.json": strToU8('{"title":"Quiz"}'),
      "h5p/content/content.json": strToU8(JSON.stringify(content)),
    }),
  };
}
