import { startProvider } from "#test/providers/provider.ts";

// The provider of bench/gateway.ts, in a process of its own.
const provider = await startProvider("openai");
provider.expectKey(null);
provider.always({ text: Array.from({ length: 40 }, () => "word "), delay: 5 });
process.send?.(provider.url);
