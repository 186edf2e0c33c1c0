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
import { ApiError, exchange, isCode } from "#web/core/api/http.ts";
import { reauthenticate } from "#web/core/session/reauth.ts";
import { whenPersonChanges } from "#web/core/session/session.tsx";
import { toast } from "#web/core/toast/toast.ts";
import { tokenAfter, usableToken } from "#web/core/session/token.ts";
import type { ReauthOptions } from "#shared/account.ts";
import type { Contract, Reply, Sent } from "#shared/route.ts";

/** What follows the contract in a call: nothing when everything may be left out. */
type Rest<C extends Contract> = object extends Sent<C> ? [sent?: Sent<C>] : [sent: Sent<C>];

declare module "@tanstack/react-query" {
  interface Register {
    defaultError: ApiError;
    mutationMeta: { quiet?: boolean };
  }
}

const isTransient = (error: ApiError) => error.status === 0 || error.status >= 500;
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

whenPersonChanges(() => queryClient.clear());
hydrate(queryClient, serverQueryData() ?? {});

/** The one of this page; where the server draws, every page has its own. */
export const ClientContext = createContext(queryClient);

/** The domain of a contract is the second segment of its path; it is the first part of every query key. */
export const domainOf = (contract: Contract) => contract.path.split("/")[2] ?? "";

/** One signed-in call. Where the server wants to know first who sits here, the person is asked, and the call made again. */
export async function call<C extends Contract>(contract: C, sent: Sent<C>, signal?: AbortSignal): Promise<Reply<C>> {
  try {
    return await signedCall(contract, sent, signal);
  } catch (error) {
    if (!isCode(error, "auth.reauthRequired") || !(await reauthenticate(error.details as ReauthOptions))) throw error;
    return call(contract, sent, signal);
  }
}

/** Bearer token, and one more try with a fresh token after a 401. */
async function signedCall<C extends Contract>(contract: C, sent: Sent<C>, signal?: AbortSignal): Promise<Reply<C>> {
  const token = await usableToken();
  const how = (bearer: string | null) => ({ ...(bearer && { token: bearer }), ...(signal && { signal }) });
  try {
    return await exchange(contract, sent, how(token));
  } catch (error) {
    if (!(error instanceof ApiError && error.status === 401 && token)) throw error;
    const fresh = await tokenAfter(token);
    if (!fresh) throw error;
    return exchange(contract, sent, how(fresh));
  }
}

/** Query options for `useQuery` and `useSuspenseQuery`: `useSuspenseQuery(ask(companies.get, { params: { id } }))`. */
export function queryFor<C extends Contract>(contract: C, ...[sent]: Rest<C>) {
  const given = (sent ?? {}) as Sent<C>;
  return queryOptions<Reply<C>, ApiError>({
    queryKey: [domainOf(contract), contract.path, given],
    queryFn: ({ signal }) => call(contract, given, signal),
  });
}

/** `ask`, but the previous answer stays while the next one loads: for lists whose page or filter changes. */
export const pagedQueryFor = <C extends Contract>(contract: C, ...rest: Rest<C>) => ({
  ...queryFor(contract, ...rest),
  placeholderData: keepPreviousData as (previous: Reply<C> | undefined) => Reply<C> | undefined,
});

type How = {
  /** Other domains whose lists show what this call changes: `['enrolments', 'reports']`. */
  also?: string[];
  /** The form shows the failure itself; without this a toast does. */
  quiet?: boolean;
};

/** A write. When it succeeded, every query of its domain (and of `also`) is asked again before the promise resolves. */
export function useApiMutation<C extends Contract>(
  contract: C,
  { also = [], quiet = false }: How = {},
): UseMutationResult<Reply<C>, ApiError, object extends Sent<C> ? Sent<C> | void : Sent<C>> {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (sent) => call(contract, (sent ?? {}) as Sent<C>),
    meta: { quiet },
    onSuccess: () => refetch(client, [domainOf(contract), ...also]),
  });
}

const refetch = (client: QueryClient, domains: string[]) =>
  Promise.all(domains.map((domain) => client.invalidateQueries({ queryKey: [domain] })));
