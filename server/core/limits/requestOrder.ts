import type { FastifyInstance, FastifyReply, FastifyRequest, RouteOptions } from "fastify";
import type { Admission, RankName } from "#server/core/limits/admission.ts";
import type { GuestLimit } from "#server/core/limits/guestLimit.ts";
import { inSlot } from "#server/core/limits/slot.ts";
import { type Priority, priorityOfPath } from "#shared/core/route.ts";

declare module "fastify" {
  interface FastifyContextConfig {
    /** What waits under overload. Derived if it is missing: files are light, exports heavy, everything else a page. */
    priority?: Priority;
  }
  interface FastifyInstance {
    /** The priority of every route, by method and pattern. */
    priorities: Map<string, Priority>;
  }
}

/** How long a request has a slot at most, in ms: a slow reader of a download does not keep others away. */
const MAX_HELD_MS = 20_000;

/** Lets every route of an application wait its turn under overload. Called before the first route is added. */
export function orderRequests(app: FastifyInstance, admission: Admission, limit: GuestLimit) {
  const ordered = new WeakSet<object>();
  app.decorate("priorities", new Map<string, Priority>());
  app.addHook("onRoute", (route) => {
    const config = (route.config ??= {});
    const priority = (config.priority ??= derivePriority(route));
    for (const method of [route.method].flat()) app.priorities.set(`${method} ${route.url}`, priority);
    // The route of HEAD shares the handler of GET.
    if (priority === "light" || ordered.has(route.handler)) return;
    const { handler } = route;
    route.handler = async function (request, reply) {
      const work = () => handler.call(this, request, reply);
      if (priority === "learning") return admission.measure(work);
      const leave = await admission.enter(rankOf(request, priority, limit), () => request.raw.destroyed);
      const timer = setTimeout(leave, MAX_HELD_MS).unref();
      const end = () => {
        clearTimeout(timer);
        leave();
      };
      // The rows of an export are read while it is sent.
      if (priority === "heavy") onEnd(reply, end);
      try {
        return await inSlot(end, work);
      } finally {
        if (priority === "page") end();
      }
    };
    ordered.add(route.handler);
  });
}

const onEnd = ({ raw }: FastifyReply, end: () => void) => void raw.once("finish", end).once("close", end);

function derivePriority({ config, url }: RouteOptions): Priority {
  return config?.pace === "file" || config?.pace === "course" ? "light" : priorityOfPath(url);
}

/** What learners read of their own is small, even if the route is heavy for admins. Guests may be about to log in. */
function rankOf(request: FastifyRequest, priority: "page" | "heavy", limit: GuestLimit): RankName {
  const caller = limit.callerOf(request);
  if (caller === "learner") return priority === "heavy" ? "page" : "learner";
  if (priority === "heavy") return "heavy";
  const isRead = request.method === "GET" || request.method === "HEAD";
  if (caller === null) return isRead ? "guest" : "learner";
  return "page";
}
