/** The result of a package with sequencing rules, which is that of the root of its activity tree. */
export type RootResult = {
  completion: "unknown" | "incomplete" | "completed";
  success: "unknown" | "passed" | "failed";
  /** From -1 to 1; null if there is none. */
  measure: number | null;
  progress: number | null;
};

/**
 * An engine takes a part that ends without a success status for passed (SN UP.4). So a pass counts only where the
 * completion is not "incomplete".
 */
export const successOfRoot = ({ completion, success }: RootResult) =>
  completion === "incomplete" && success === "passed" ? "unknown" : success;

export const isRootDone = (root: RootResult) => root.completion === "completed" || successOfRoot(root) === "passed";
