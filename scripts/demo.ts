import type { Services } from '#server/core/services.ts'
export const fillDemo = async (_: Services): Promise<string[]> => []
