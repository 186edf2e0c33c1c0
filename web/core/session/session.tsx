import { createContext, type ReactNode, use, useCallback, useEffect, useMemo, useState } from "react";
import { keepBrand } from "#web/core/brand/brand.ts";
import { isServerRendered } from "#web/core/rendering/hydration.ts";
import { exchange } from "#web/core/api/http.ts";
import { deleteOfflineData } from "#web/core/offline.ts";
import { storage } from "#web/core/session/storage.ts";
import { readUser, storeUser, USER_KEY } from "#web/core/session/storedUser.ts";
import { dropToken, endSession, holdToken, refreshToken, watchToken } from "#web/core/session/token.ts";
import { auth } from "#shared/auth.ts";
import type { Reply, Sent } from "#shared/route.ts";
import type { User } from "#shared/users.ts";

type State = {
  user: User | null;
  /** False until /api/auth/token has answered: before that the stored user is only a hint. */
  settled: boolean;
  /** True after a sign-out, here or in another tab: guards then go to /login without a way back. */
  left: boolean;
};
type Session = State & {
  signIn: (input: Sent<typeof auth.signIn>["body"]) => Promise<User>;
  /** Takes over what a sign-in answered: after a second step or a passkey. */
  enter: (grant: Reply<typeof auth.token>) => User;
  /** The refresh cookie is there already: a sign-in that happened in a window of its own. */
  resume: () => Promise<User>;
  signOut: () => Promise<void>;
};

/** Called when the person changes, so that nothing of the last one stays in memory; `left` after a sign-out in this tab. */
type Forget = (left: boolean) => void;
const forgetters = new Set<Forget>();
export const whenPersonChanges = (forget: Forget) => forgetters.add(forget);
function forget(left = false) {
  deleteOfflineData();
  forgetters.forEach((one) => one(left));
}

const SessionContext = createContext<Session | null>(null);

export function useSession() {
  const session = use(SessionContext);
  if (!session) throw new Error("useSession needs a SessionProvider");
  return session;
}

/** The person at the keyboard, null when signed out. Policies take it as it is: `isAdmin(useUser())`. */
export const useUser = () => useSession().user;

export function SessionProvider({ children }: { children: ReactNode }) {
  const [drawn] = useState(isServerRendered);
  const [state, setState] = useState<State>(() => ({ user: readUser(), settled: drawn, left: false }));

  useEffect(() => {
    watchToken((user) => {
      // What a guest was shown stays: only the end of a sign-in empties memory.
      if (!user && readUser()) forget();
      storeUser(user);
      setState((now) => ({ user, settled: true, left: user === null && now.left }));
    });
    // A drawn page is a guest's: the server has seen that there is no session.
    if (!drawn) refreshToken().catch(() => setState((now) => ({ ...now, settled: true })));
    return followOtherTabs((user) => {
      dropToken();
      forget();
      setState({ user, settled: true, left: user === null });
    });
  }, [drawn]);

  const enter = useCallback<Session["enter"]>((grant) => {
    forget();
    holdToken(grant);
    storeUser(grant.user);
    setState({ user: grant.user, settled: true, left: false });
    return grant.user;
  }, []);
  const signIn = useCallback<Session["signIn"]>(async (body) => enter(await exchange(auth.signIn, { body })), [enter]);
  const resume = useCallback(async () => enter(await exchange(auth.token, {})), [enter]);

  const signOut = useCallback(async () => {
    await endSession();
    storeUser(null);
    storage.remove("redirectTo");
    setState({ user: null, settled: true, left: true });
    keepBrand(null);
    forget(true);
  }, []);

  const session = useMemo(
    () => ({ ...state, signIn, enter, resume, signOut }),
    [state, signIn, enter, resume, signOut],
  );
  return <SessionContext value={session}>{children}</SessionContext>;
}

/** Calls back when another tab signed out, or signed in as somebody else. */
function followOtherTabs(onUser: (user: User | null) => void) {
  const follow = ({ key, oldValue }: StorageEvent) => {
    if (key !== USER_KEY && key !== null) return;
    const user = readUser();
    const before = oldValue ? (JSON.parse(oldValue) as User).id : null;
    if (key === null || (user?.id ?? null) !== before) onUser(user);
  };
  addEventListener("storage", follow);
  return () => removeEventListener("storage", follow);
}
