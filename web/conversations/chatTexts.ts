import { i18n } from "#web/core/i18n.ts";
import chat from "#shared/locales/en/chat.json" with { type: "json" };

// The chat page is loaded without the texts of the other pages.
i18n.addResourceBundle("en", "translation", { chat }, true);
