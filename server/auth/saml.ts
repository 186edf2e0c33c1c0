import type { Flow } from '#server/auth/external.ts'
import type { Config } from '#server/core/config.ts'
export async function startSaml(_config: Config, _connection: { id: string }, _state: string): Promise<{ address: string; request: Flow['request'] }> {
  throw new Error('not yet')
}
