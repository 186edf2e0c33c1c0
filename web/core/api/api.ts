import {
  hydrate,
  keepPreviousData,
  MutationCache,
  QueryClient,
  queryOptions,
  useMutation,
  type UseMutationResult,
  useQueryClient,
} from "@tanstack/react-query";
import { createContext } from "react";
import { serverQueryData } from "#web/core/rendering/hydration.ts";
import { ApiError, sendRequest, isStatus } from "#web/core/http/http.ts";
import { OVERLOADED } from "#web/core/http/patience.ts";
import { awaitLogin } from "#web/core/session/loginPrompt.ts";
import { withReauthentication } from "#web/core/session/reauth.ts";
import { onUserChange } from "#web/core/session/session.tsx";
import { toast } from "#web/core/toast/toast.ts";
import { tokenAfterRejection, usableToken } from "#web/core/session/token.ts";
import type { Contract, Reply, Sent } from "#shared/core/route.ts";

/** Arguments after the contract: optional if everything in them is optional. */
type CallArguments<C extends Contract> = object extends Sent<C> ? [sent?: Sent<C>] : [sent: Sent<C>];

declare module "@tanstack/react-query" {
  interface Register {
    defaultError: ApiError;
    mutationMeta: { quiet?: boolean };
  }
}

/** Requests that an overloaded server refuses are repeated already (`sendPatiently`). */
const isTransient = (error: ApiError) => error.status === 0 || (error.status >= 500 && error.code !== OVERLOADED);
export const queryClient = new QueryClient({
  defaultOptions: {
    queries: {
      staleTime: 15_000,
      networkMode: "always",
      retry: (failures, error) => failures < 2 && error instanceof ApiError && isTransient(error),
      retryDelay: (failures) => 400 * 2 ** failures,
    },
    mutations: { networkMode: "always" },
  },
  mutationCache: new MutationCache({
    onError: (error, _sent, _context, mutation) => {
      if (!mutation.meta?.quiet) toast.failed(error);
    },
  }),
});

onUserChange(() => queryClient.clear());
hydrate(queryClient, serverQueryData() ?? {});

/** The query client: one per page in the browser, one per request in server-side rendering. */
export const ClientContext = createContext(queryClient);

/** Filter for all queries of a contract's domain: `client.invalidateQueries(queriesOf(companies.list))`. */
export const queriesOf = ({ domain }: Contract) => ({ queryKey: [domain] });

/**
 * An authenticated API call. If the server requires re-authentication, the user is prompted and the call is repeated;
 * likewise if the session has ended and the user logs in again.
 */
export async function call<C extends Contract>(contract: C, sent: Sent<C>, signal?: AbortSignal): Promise<Reply<C>> {
  try {
    return await withReauthentication(() => callWithToken(contract, sent, signal));
  } catch (error) {
    if (!isStatus(error, 401) || !(await awaitLogin())) throw error;
    return call(contract, sent, signal);
  }
}

/** Sends the bearer token, and retries once with a new token after a 401. */
async function callWithToken<C extends Contract>(contract: C, sent: Sent<C>, signal?: AbortSignal): Promise<Reply<C>> {
  const token = await usableToken();
  const optionsWith = (bearer: string | null) => ({ ...(bearer && { token: bearer }), ...(signal && { signal }) });
  try {
    return await sendRequest(contract, sent, optionsWith(token));
  } catch (error) {
    if (!(error instanceof ApiError && error.status === 401 && token)) throw error;
    const newToken = await tokenAfterRejection(token);
    if (!newToken) throw error;
    return sendRequest(contract, sent, optionsWith(newToken));
  }
}

/**
 * Query options for `useQuery` and `useSuspenseQuery`: `useSuspenseQuery(queryFor(companies.get, { params: { id } }))`.
 */
export function queryFor<C extends Contract>(contract: C, ...[sent]: CallArguments<C>) {
  const input = (sent ?? {}) as Sent<C>;
  return queryOptions<Reply<C>, ApiError>({
    queryKey: [contract.domain, contract.path, input],
    queryFn: ({ signal }) => call(contract, input, signal),
  });
}

/** `queryFor` that keeps the previous data while the next page or filter loads, for lists. */
export const pagedQueryFor = <C extends Contract>(contract: C, ...rest: CallArguments<C>) => ({
  ...queryFor(contract, ...rest),
  placeholderData: keepPreviousData as (previous: Reply<C> | undefined) => Reply<C> | undefined,
});

type MutationOptions = {
  /** False: no query is refetched, because the person is about to be signed out. */
  refetch?: boolean;
  /** No error toast: the form shows the error itself. */
  quiet?: boolean;
};

/**
 * A write. After success every query is stale, whatever domain it belongs to: those on screen are refetched before the
 * promise resolves, the others when they are needed again.
 */
export function useApiMutation<C extends Contract>(
  contract: C,
  { refetch = true, quiet = false }: MutationOptions = {},
): UseMutationResult<Reply<C>, ApiError, object extends Sent<C> ? Sent<C> | void : Sent<C>> {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (sent) => call(contract, (sent ?? {}) as Sent<C>),
    meta: { quiet },
    onSuccess: () => (refetch ? client.invalidateQueries() : undefined),
  });
}
