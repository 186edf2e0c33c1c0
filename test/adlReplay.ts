import { flattenParts } from "#server/courses/parts.ts";
import { readActivityTree } from "#server/packages/activityTree.ts";
import { parseManifest, readTableOfContents } from "#server/packages/manifest.ts";
import { FileIndex } from "#server/packages/paths.ts";
import { attribute, child, children, type Element } from "#server/packages/xml.ts";
import type { ActivityTree } from "#shared/packages/activityTree.ts";
import { listParts } from "#shared/packages/packages.ts";
import { formatDuration, NAVIGATION_REQUEST, parseSeconds } from "#shared/player/runTimeData.ts";
import type { EngineState } from "#shared/sequencing/engineState.ts";
import { createSequencer, readRequest, type Outcome, type Sequencer } from "#shared/sequencing/sequencer.ts";
import { type AdlCall, type AdlCase, type AdlVisit, manifestOf } from "#test/adlCases.ts";
import { Engine } from "#test/ruledPackages.ts";
import { createRuntime, type Runtime } from "#web/shell/runtime.ts";

// Replays a test case of ADL's suite through the reader of manifests, the engine and the run-time API of the player

type Values = Record<string, string>;

type Package = {
  tree: ActivityTree;
  given: Map<string, Values>;
  ids: Map<string, string>;
  acts: Map<string, number>;
  /** Parts that end when their page is unloaded, and not by themselves. */
  endAtUnload: Set<string>;
};

/** The tree of a package, what its parts get from the manifest, and its items by title and by number in the test. */
function readPackage(bytes: Buffer): Package {
  const open = parseManifest(bytes, "imsmanifest.xml");
  const hrefs = children(child(open.element, "resources"), "resource").flatMap((one) => {
    const href = attribute(one, "href");
    return href ? [`${attribute(one, "base") ?? ""}${href}`] : [];
  });
  const read = readTableOfContents(open, new FileIndex(hrefs));
  const elements = new Map<string, Element>();
  const collect = (parent: Element) => {
    for (const item of children(parent, "item")) {
      elements.set(attribute(item, "identifier") ?? "", item);
      collect(item);
    }
  };
  collect(open.organization as Element);
  const shared = children(open.element, "sequencingCollection").flatMap((one) => children(one, "sequencing"));
  const sequencing = new Map(shared.map((one) => [attribute(one, "id") ?? "", one]));
  const context = { sequencing, warnings: [], elements };
  const tree = read.sequencing ?? readActivityTree(open.organization as Element, read.items, context);
  const manifest = { kind: "scorm2004" as const, edition: null, identifier: "", title: "", items: read.items };
  const acts = listParts(read.items).map(
    (item) => [item.identifier, Number(/[?&]act=(\d+)/.exec(item.href ?? "")?.[1])] as const,
  );
  const all = (items: typeof read.items): typeof read.items => items.flatMap((item) => [item, ...all(item.items)]);
  return {
    tree: tree as ActivityTree,
    given: new Map(
      flattenParts({ ...manifest, ...(tree && { sequencing: tree }) }).map((part) => [part.sco, part.given]),
    ),
    ids: new Map(all(read.items).map((item) => [item.title, item.identifier])),
    acts: new Map(acts),
    endAtUnload: new Set(
      listParts(read.items).flatMap((one) => (one.href?.includes("SingleDoTerminate") ? [one.identifier] : [])),
    ),
  };
}

const NOTHING: Outcome = { delivered: null, isResumed: false, isEnded: false, exception: null };

/** `persists`: before every step, the engine is rebuilt from its stored state. */
export async function replayCase(suite: string, test: AdlCase, persists: boolean): Promise<string | null> {
  const bytes = manifestOf(suite, test.name);
  const { tree, given, ids, acts, endAtUnload } = readPackage(bytes);
  let live: Sequencer = createSequencer(Engine, tree, null);
  const sequencer = () => {
    if (persists) live = createSequencer(Engine, tree, JSON.parse(JSON.stringify(live.state())) as EngineState);
    return live;
  };
  const kept = new Map<string, Values>();
  let outcome: Outcome = NOTHING;
  const idOf = (title: string) => (title.startsWith("the activity that") ? tree.root.id : (ids.get(title) ?? title));
  const launch = (start: string) => {
    const { engine } = sequencer();
    if (engine.tree._suspendedActivity) outcome = live.navigate("resumeAll", null, null);
    else if (start === ".") outcome = live.navigate("start", null, null);
    else outcome = live.navigate("choice", idOf(start), null);
  };
  launch(test.start);

  for (const visit of test.visits) {
    const sco = outcome.delivered;
    const number = sco === null ? undefined : acts.get(sco);
    if (sco === null || number !== visit.activity)
      return `${visit.name}: ${sco ?? "nothing"} delivered (${outcome.exception ?? "no exception"})`;
    const asked = visit.questions.find((question) => answer(sequencer(), question.what, idOf) !== question.is);
    if (asked) return `${visit.name}: ${asked.what} is not ${asked.is}`;
    const { isResumed } = outcome;
    const endsAtUnload = endAtUnload.has(sco);
    const runtime = await open(sequencer, valuesOf(sco, isResumed));
    const deviation = visit.calls.map((call) => perform(runtime, call)).find((one) => one !== null);
    if (deviation) return `${visit.name}: ${deviation}`;
    const request = endsAtUnload ? null : readRequest(runtime.request());
    if (!visit.calls.some(({ name }) => name === "Terminate")) runtime.api.Terminate?.("");
    const content = runtime.content();
    kept.set(sco, withTotalTime(content?.values ?? {}));
    if (request || !endsAtUnload)
      outcome = sequencer().navigate(request?.request ?? "exit", request?.target ?? null, content);
    else outcome = NOTHING;
    if (outcome.delivered === null) act(visit, endsAtUnload ? content : null);
  }
  return test.endsSession && !outcome.isEnded ? "the session has not ended" : null;

  function valuesOf(sco: string, isResumed: boolean): Values {
    const resumed = isResumed ? (kept.get(sco) ?? null) : null;
    return { ...given.get(sco), ...resumed, ...live.launchValues(sco, resumed) };
  }

  /** What the learner does after a visit. */
  function act({ after }: AdlVisit, content: ReturnType<Runtime["content"]>) {
    const [what = "", title = ""] = after.split("~");
    if (what === "Continue") outcome = sequencer().navigate("continue", null, content);
    else if (what === "Previous") outcome = sequencer().navigate("previous", null, content);
    else if (what.startsWith("Choice")) outcome = sequencer().navigate("choice", idOf(title), content);
    else if (what === "RootSX4b") outcome = sequencer().navigate("choice", tree.root.id, content);
    else if (what === "TRIGExitAll") outcome = sequencer().navigate("exitAll", null, content);
    else if (/^(Relaunch|ExitCM|SuspendCM)/.test(what) || after.startsWith("ContinueExit")) {
      if (after.startsWith("ContinueExit")) sequencer().navigate("continue", null, content);
      const leave = what.startsWith("Suspend") ? "suspendAll" : "exitAll";
      if (live.engine.tree._currentActivity && !live.engine.tree._suspendedActivity)
        sequencer().navigate(leave, null, content);
      live.engine.tree._currentActivity = null;
      launch(what === "RelaunchCM10" ? "Activity 4" : test.start);
    }
  }
}

async function open(sequencer: () => Sequencer, values: Values) {
  let request = "";
  let runtime: Runtime | null = null;
  const created = await createRuntime(
    "scorm2004",
    { "cmi.entry": "ab-initio", ...values },
    () => null,
    {
      initialized: () => {},
      set: (key, value) => {
        if (key === NAVIGATION_REQUEST) request = value;
      },
      committed: () => {},
      terminated: () => {},
      isStopped: () => false,
    },
    { isValid: (element) => sequencer().validity(element, runtime?.content() ?? null) },
  );
  runtime = created;
  return { ...created, request: () => request };
}

/** The values with which the next visit begins. */
function withTotalTime({ "cmi.session_time": session = "", "cmi.total_time": total = "", ...values }: Values): Values {
  const seconds = (parseSeconds(total) ?? 0) + (parseSeconds(session) ?? 0);
  return { ...values, "cmi.total_time": formatDuration(seconds) };
}

type Opened = Awaited<ReturnType<typeof open>>;

/** The sentence that says how a call deviates from what is expected; null if it does not. */
function perform({ api }: Opened, call: AdlCall): string | null {
  const invoke = (name: string, ...args: string[]) => String(api[name]?.(...args));
  const count = () => Number(invoke("GetValue", "cmi.objectives._count"));
  const listed = () => Array.from({ length: count() }, (_, n) => invoke("GetValue", `cmi.objectives.${n}.id`));
  if (call.name === "compareObjectives") {
    const missing = call.args.filter((id) => !listed().includes(id));
    return missing.length > 0 || listed().length !== call.args.length ? `objectives are ${listed().join()}` : null;
  }
  const [element = "", ...rest] = call.args;
  const [, id] = /&(.+)&/.exec(element) ?? [];
  const index = id === undefined ? -1 : listed().indexOf(id);
  if (id !== undefined && index < 0) return `no objective ${id}`;
  const result = invoke(call.name, element.replace(/&.+&/, String(index)), ...rest);
  const error = invoke("GetLastError");
  if (call.name === "GetValue" && element.endsWith("&.id")) return null;
  const isTime = element === "cmi.total_time" && parseSeconds(result) === parseSeconds(call.result);
  const isEqual =
    isTime ||
    result === call.result ||
    (call.name === "GetValue" && result !== "" && Number(result) === Number(call.result));
  const said = `${call.name}(${call.args.join(", ")}) = "${result}", ${error}`;
  return isEqual && error === call.error ? null : `${said} instead of "${call.result}", ${call.error}`;
}

/** Whether the page shows what a question of the test asks for. */
function answer(sequencer: Sequencer, question: string, idOf: (title: string) => string): boolean {
  const [what = "", title = ""] = question.split("@");
  const { canContinue, canPrevious, hidden, choices } = sequencer.view();
  // A hidden control is one that cannot be used
  const isContinue = !hidden.includes("continue") && canContinue;
  const isPrevious = !hidden.includes("previous") && canPrevious;
  if (what.startsWith("continue.")) return isContinue === (what === "continue.enabled");
  if (what.startsWith("previous.")) return isPrevious === (what === "previous.enabled");
  const choice = choices.find(({ id }) => id === idOf(title));
  if (what === "toc.enabled") return choices.some((one) => one.isOpen && one.id !== sequencer.engine.tree.root.id);
  if (what === "toc.enabled.selectable") return choice?.isOpen === true;
  if (what === "toc.visible") return choice !== undefined && !choice.isHidden;
  return true;
}
