import { attempt, type Changed, followed, followSetter, isFunction, wrap } from "#web/shell/tools/observation.ts";

// Storyline exposes variables by `GetPlayer().GetVar(name)`, as its vendor documents, and announces changes: DS.pubSub
// triggers "variable:changed" with the path of the variable. If a package announces nothing, its setter is wrapped.

type StorylineWindow = Window & {
  DS?: { pubSub?: { on?: unknown } };
  GetPlayer?: () => { GetVar: (name: string) => unknown };
};

const CHANGED = "variable:changed";

/** A function that reads variables; null if the window has no Storyline player. May throw. */
export function readerOfStoryline({ GetPlayer }: StorylineWindow) {
  if (typeof GetPlayer !== "function") return null;
  const player = GetPlayer();
  return typeof player?.GetVar === "function" ? (name: string) => player.GetVar(name) : null;
}

export function followStoryline(window: StorylineWindow, names: string[], changed: Changed) {
  attempt(() => {
    const pubSub = window.DS?.pubSub;
    if (typeof pubSub !== "object" || followed.has(pubSub) || !isFunction(pubSub.on)) return;
    followed.add(pubSub);
    // The path is that of the variable in its project, such as _player.SelfRating.
    pubSub.on(CHANGED, (path: unknown) => {
      for (const name of names) if (typeof path === "string" && path.endsWith(`.${name}`)) changed(name);
    });
  });
  const GetPlayer: unknown = window.GetPlayer;
  if (!isFunction(GetPlayer)) return;
  if (followed.has(GetPlayer)) return;
  // Some versions create a new object for each call.
  attempt(() => {
    (window as { GetPlayer?: unknown }).GetPlayer = wrap(GetPlayer, (player) =>
      followSetter(player, "SetVar", names, changed),
    );
  });
  attempt(() => followSetter(GetPlayer.call(window), "SetVar", names, changed));
}
