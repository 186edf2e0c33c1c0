/** Keeps the place of a chart while its code loads, so that nothing jumps. */
export const ChartBox = ({ height }: { height: number }) => <div style={{ height }} aria-hidden />;
