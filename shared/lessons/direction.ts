const RIGHT_TO_LEFT = /^(ar|fa|he|ur|ps|yi|dv|ug|sd)\b/i;
export const directionOf = (language: string) => (RIGHT_TO_LEFT.test(language) ? "rtl" : "ltr");
