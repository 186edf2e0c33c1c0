import { createContext, type ReactNode, use, useCallback, useEffect, useMemo, useRef, useState } from "react";
import { cacheBrand } from "#web/core/academy/cachedBrand.ts";
import { isServerRendered } from "#web/core/rendering/hydration.ts";
import { sendRequest } from "#web/core/http/http.ts";
import { deleteOfflineData } from "#web/core/offline.ts";
import { clearTarget } from "#web/core/session/redirects.ts";
import { answerLogin, promptLogin } from "#web/core/session/loginPrompt.ts";
import { readStoredUser, storeUser, USER_KEY } from "#web/core/storage/storedUser.ts";
import { clearToken, endSession, setGrant, refreshToken, watchUser } from "#web/core/session/token.ts";
import { auth } from "#shared/auth/auth.ts";
import type { Reply, Sent } from "#shared/core/route.ts";
import type { User } from "#shared/core/users.ts";

type State = {
  user: User | null;
  /** False until /api/auth/token has responded; until then the stored user is not verified. */
  settled: boolean;
  /** True after a sign-out in any tab: guards then redirect to /login without a redirect target. */
  hasSignedOut: boolean;
};
type Session = State & {
  signIn: (input: Sent<typeof auth.signIn>["body"]) => Promise<User>;
  /** Starts a session with the result of a sign-in by second factor or passkey. */
  acceptGrant: (grant: Reply<typeof auth.token>) => User;
  /** Starts a session from an existing refresh cookie, after a sign-in in another window. */
  resumeSession: () => Promise<User>;
  signOut: () => Promise<void>;
};

/** Called when the user changes, to clear data of the previous user; `hasSignedOut` after a sign-out in this tab. */
type UserChangeListener = (hasSignedOut: boolean) => void;
const userChangeListeners = new Set<UserChangeListener>();
export const onUserChange = (listener: UserChangeListener) => userChangeListeners.add(listener);
function notifyUserChange(hasSignedOut = false) {
  deleteOfflineData();
  userChangeListeners.forEach((listener) => listener(hasSignedOut));
}

const SessionContext = createContext<Session | null>(null);

export function useSession() {
  const session = use(SessionContext);
  if (!session) throw new Error("useSession needs a SessionProvider");
  return session;
}

/** The signed-in user, or null. For policies: `isAdmin(useUser())`. */
export const useUser = () => useSession().user;

export function SessionProvider({ children }: { children: ReactNode }) {
  const [isHydrated] = useState(isServerRendered);
  /** True once a session was valid on this page, so that its end is noticed. */
  const hasWorked = useRef(false);
  const [state, setState] = useState<State>(() => ({
    user: readStoredUser(),
    settled: isHydrated,
    hasSignedOut: false,
  }));

  useEffect(() => {
    const showUser = (user: User | null) => {
      // Data shown to a guest is kept; only the end of a session clears it.
      if (!user && readStoredUser()) notifyUserChange();
      storeUser(user);
      setState((now) => ({ user, settled: true, hasSignedOut: user === null && now.hasSignedOut }));
    };
    // A session that ends while its page is open: the page stays, and the user is asked to log in again.
    watchUser((user) => {
      const worker = hasWorked.current ? readStoredUser() : null;
      if (user || !worker) {
        hasWorked.current = user !== null;
        return showUser(user);
      }
      void promptLogin(worker).then((isLoggedIn) => {
        if (isLoggedIn) return;
        hasWorked.current = false;
        showUser(null);
      });
    });
    // A server-rendered page is only sent to guests, so there is no session to refresh.
    if (!isHydrated) refreshToken().catch(() => setState((now) => ({ ...now, settled: true })));
    return followOtherTabs((user) => {
      clearToken();
      answerLogin(false);
      notifyUserChange();
      setState({ user, settled: true, hasSignedOut: user === null });
    });
  }, [isHydrated]);

  const acceptGrant = useCallback<Session["acceptGrant"]>((grant) => {
    hasWorked.current = true;
    // The same person logs in again over an open page: its data and input stay.
    const isSamePerson = readStoredUser()?.id === grant.user.id;
    if (!isSamePerson) notifyUserChange();
    setGrant(grant);
    storeUser(grant.user);
    setState({ user: grant.user, settled: true, hasSignedOut: false });
    answerLogin(isSamePerson);
    return grant.user;
  }, []);
  const signIn = useCallback<Session["signIn"]>(
    async (body) => acceptGrant(await sendRequest(auth.signIn, { body })),
    [acceptGrant],
  );
  const resumeSession = useCallback(async () => acceptGrant(await sendRequest(auth.token, {})), [acceptGrant]);

  const signOut = useCallback(async () => {
    await endSession();
    storeUser(null);
    clearTarget();
    setState({ user: null, settled: true, hasSignedOut: true });
    // A request that was refused meanwhile may have asked for a login.
    answerLogin(false);
    cacheBrand(null);
    notifyUserChange(true);
  }, []);

  const session = useMemo(
    () => ({ ...state, signIn, acceptGrant, resumeSession, signOut }),
    [state, signIn, acceptGrant, resumeSession, signOut],
  );
  return <SessionContext value={session}>{children}</SessionContext>;
}

/** Reports when another tab has signed out, or signed in as another user. */
function followOtherTabs(onUser: (user: User | null) => void) {
  const onStorage = ({ key, oldValue }: StorageEvent) => {
    if (key !== USER_KEY && key !== null) return;
    const user = readStoredUser();
    const previousId = oldValue ? (JSON.parse(oldValue) as User).id : null;
    if (key === null || (user?.id ?? null) !== previousId) onUser(user);
  };
  addEventListener("storage", onStorage);
  return () => removeEventListener("storage", onStorage);
}
