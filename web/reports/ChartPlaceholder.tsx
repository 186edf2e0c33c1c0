/** Reserves the space of a chart while its code loads. */
export const ChartPlaceholder = ({ height }: { height: number }) => <div style={{ height }} aria-hidden />;
