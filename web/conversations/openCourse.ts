import { createContext } from "react";

/** The course that is open beside a chat, and how to open one of its parts; null elsewhere. */
export const OpenCourse = createContext<{ id: string; openPart: (sco: string) => void } | null>(null);
