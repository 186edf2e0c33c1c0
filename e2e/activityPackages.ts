import { strToU8, zipSync } from "fflate";
import { au, cmi5Package, filesOf, page as file, tinCanPackage } from "#test/activityPackages.ts";
import { head } from "./packages.ts";

/** What an AU needs to speak with the record store; a statement without an answer is sent again. */
const client = `
const query = new URLSearchParams(location.search)
const [endpoint, actor, registration] = ['endpoint', 'actor', 'registration'].map((name) => query.get(name))
const activityId = query.get('activityId') || query.get('activity_id')
let auth = query.get('auth')
const request = async (path, params, method = 'GET', body) => {
  const url = endpoint + path + '?' + new URLSearchParams(params)
  const headers = { Authorization: auth, 'X-Experience-API-Version': '1.0.3', 'Content-Type': 'application/json' }
  for (;;) {
    try {
      const options = { method, headers, keepalive: method === 'PUT', ...(body && { body: JSON.stringify(body) }) }
      const reply = await fetch(url, options)
      if (reply.status < 500) return reply
    } catch {}
    await new Promise((resolve) => setTimeout(resolve, 300))
  }
}
const state = (stateId, method, body) =>
  request('activities/state', { stateId, activityId, agent: actor, registration }, method, body)
const tell = (id, text) => { document.getElementById(id).textContent = text }
`;

const unitPage = head(`<h1>Evacuation</h1><p id="place"></p><p id="mode"></p><p id="answer"></p>
<button id="next">Next page</button> <button id="pass">Finish quiz</button> <button id="end">Close</button>
<script type="module">${client}
const category = (names) => names.map((name) => ({ id: 'https://w3id.org/xapi/cmi5/context/categories/' + name }))
const token = await (await fetch(query.get('fetch'), { method: 'POST' })).json()
auth = 'Basic ' + token['auth-token']
const launch = await (await state('LMS.LaunchData')).json()
await request('agents/profile', { profileId: 'cmi5LearnerPreferences', agent: actor })
const say = async (verb, result, names = ['cmi5']) => {
  const template = launch.contextTemplate
  const statement = {
    id: crypto.randomUUID(),
    actor: JSON.parse(actor),
    verb: { id: 'http://adlnet.gov/expapi/verbs/' + verb },
    object: { id: activityId },
    ...(result && { result }),
    context: {
      registration,
      contextActivities: { ...template.contextActivities, category: category(names) },
      extensions: {
        ...template.extensions,
        ...(result?.score && { 'https://w3id.org/xapi/cmi5/context/extensions/masteryscore': launch.masteryScore }),
      },
    },
    timestamp: new Date().toISOString(),
  }
  const { status } = await request('statements', { statementId: statement.id }, 'PUT', statement)
  tell('answer', verb + ' ' + status)
}
await say('initialized')
const stored = await state('place')
let place = stored.status === 200 ? (await stored.json()).place : 1
tell('place', 'Page ' + place)
tell('mode', launch.launchMode)
const duration = 'PT30S'
document.getElementById('next').onclick = async () => {
  place++
  await state('place', 'PUT', { place })
  tell('place', 'Page ' + place)
}
document.getElementById('pass').onclick = async () => {
  await say('passed', { success: true, duration, score: { scaled: 0.8 } }, ['cmi5', 'moveon'])
  await say('completed', { completion: true, duration }, ['cmi5', 'moveon'])
}
document.getElementById('end').onclick = async () => {
  await say('terminated', { duration })
  location.href = launch.returnURL
}
</script>`);

const zip = (entries: Parameters<typeof filesOf>[0]) =>
  zipSync(Object.fromEntries(Object.entries(filesOf(entries)).map(([name, text]) => [name, strToU8(text)])));

/** A cmi5 package with an AU that has pages and a quiz. */
export const cmi5Zip = (name = "evacuation.zip") => ({
  name,
  bytes: zip(
    cmi5Package(au({ title: "Evacuation", attributes: 'moveOn="CompletedAndPassed" masteryScore="0.75"' }), [
      file("one.html", unitPage),
    ]),
  ),
});

const storyPage = head(`<h1>Story</h1><p id="answer"></p><button id="pass">Finish</button>
<script type="module">${client}
document.getElementById('pass').onclick = async () => {
  const statement = {
    actor: JSON.parse(actor),
    verb: { id: 'http://adlnet.gov/expapi/verbs/passed' },
    object: { id: activityId },
    result: { success: true, score: { raw: 9, min: 0, max: 10 } },
    context: { registration },
  }
  const { status } = await request('statements', { statementId: crypto.randomUUID() }, 'PUT', statement)
  tell('answer', 'passed ' + status)
}
</script>`);

/** A Tin Can package with one page. */
export const tinCanZip = (name = "story.zip") => ({
  name,
  bytes: zip(tinCanPackage("story.html", [file("story.html", storyPage)])),
});
