import config from "./playwright.config.ts";

export default { ...config, testMatch: "upgradeCapture.ts", retries: 0 };
