import classes from "#web/core/brand/art.module.css";

const SUN = 906;
/** Left edges of the arches, from -582 to 1938: more than the default width, for wide screens. */
const arches = Array.from({ length: 22 }, (_, index) => -582 + index * 120);
/** Where the shadow of an edge meets the lower border; the light comes from the sun. */
const shadowOf = (x: number) => SUN + (x - SUN) * 1.217;

const FAR_HILLS =
  "M-600 160C-500 146-420 146-330 160S-120 190 0 186C80 170 140 150 212 150 320 150 420 186 520 186 620 186 " +
  "700 157 800 157 900 157 1010 184 1110 184 1210 184 1270 140 1380 140 1480 140 1560 184 1680 184 1800 184 " +
  "1900 150 2040 150V236H-600z";
const NEAR_HILLS =
  "M-600 204C-480 188-380 190-280 200S-80 222 0 212C80 202 160 197 220 197 360 197 500 219 620 219 760 219 " +
  "920 185 1070 185 1200 185 1300 200 1422 200 1540 200 1640 214 1760 214 1880 214 1960 196 2040 196V236H-600z";

/** The illustration of the public home page: an arcade in full width, 300 px high (176 on phones). */
export function Arcade() {
  return (
    <div className={classes.arcade} aria-hidden>
      <svg viewBox="-600 0 2640 300" preserveAspectRatio="none">
        <path fill="#0B4550" d="M-600 0h2640v300h-2640z" />
        <clipPath id="arcade">
          {arches.map((x) => (
            <path key={x} d={`M${x} 236V88a42 42 0 0 1 84 0v148z`} />
          ))}
        </clipPath>
        <g clipPath="url(#arcade)">
          <path fill="#D8E9EA" d="M-600 0h2640v236h-2640z" />
          <circle cx={SUN} cy="140" r="34" fill="#F2B72E" />
          <path fill="#82B9BF" d={FAR_HILLS} />
          <path fill="#2F7F8A" d={NEAR_HILLS} />
        </g>
        <path fill="#08343D" d="M-600 236h2640v64h-2640z" />
        {arches.map((x) => (
          <path
            key={x}
            fill="#1A6874"
            opacity={Math.max(0.28, 1 - Math.abs(x + 42 - SUN) / 1080)}
            d={`M${x} 236h84L${shadowOf(x + 84)} 300H${shadowOf(x)}z`}
          />
        ))}
      </svg>
    </div>
  );
}
