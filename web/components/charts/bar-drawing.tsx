import { formatCompact } from '#shared/count.ts';
import { type BarsProps, ticksFor } from './scale.ts';

/** Pixels; EDGE leaves room for half a line of text above and below. */
const HEIGHTS = { usual: 192, small: 112 };
const EDGE = 8;
/** Share of a group's width that its bars fill. */
const FILLED = 0.72;

type Piece = { key: string; left: number; width: number; from: number; to: number; colour: string };
type BarDrawingProps = BarsProps & {
  /** Index of the group under the pointer. */
  pointed: number | undefined;
  onPoint: (index: number | undefined) => void;
};

/** @returns the bars of one group: positions as shares of its width, and the figures each spans */
function piecesOf(
  { series, layout = 'beside' }: BarsProps,
  values: readonly (number | null)[],
): Piece[] {
  const bars = series.flatMap(({ name, colour, line }, index) =>
    line ? [] : [{ key: name, colour, value: values[index] ?? 0 }],
  );
  const width = layout === 'beside' ? FILLED / bars.length : FILLED;
  const stack = { up: 0, down: 0 };
  return bars.map(({ key, colour, value }, index) => {
    const left = (1 - FILLED) / 2 + (layout === 'beside' ? index * width : 0);
    if (layout !== 'stacked') return { key, colour, left, width, from: 0, to: value };
    const side = value < 0 ? 'down' : 'up';
    const from = stack[side];
    stack[side] += value;
    return { key, colour, left, width, from, to: stack[side] };
  });
}

export function BarDrawing({ pointed, onPoint, ...props }: BarDrawingProps) {
  const { series, groups, isSmall } = props;
  const height = HEIGHTS[isSmall ? 'small' : 'usual'];
  const bars = groups.map(({ id, values }) => ({ id, values, pieces: piecesOf(props, values) }));
  const lines = series.flatMap(({ name, colour, line }, index) =>
    line ? [{ name, colour, values: groups.map(({ values }) => values[index] ?? null) }] : [],
  );
  const figures = [
    ...bars.flatMap(({ pieces }) => pieces.map(({ to }) => to)),
    ...lines.flatMap(({ values }) => values.filter((value) => value !== null)),
  ];
  const ticks = ticksFor(figures);
  const [low = 0, high = 1] = [ticks[0], ticks.at(-1)];
  const y = (value: number) => EDGE + ((high - value) / (high - low)) * (height - 2 * EDGE);
  const x = (place: number) => `${(place / groups.length) * 100}%`;
  return (
    <svg
      aria-hidden="true"
      width="100%"
      height={height}
      className="overflow-visible"
      onPointerLeave={() => onPoint(undefined)}
    >
      {ticks.map((tick) => (
        <g key={tick}>
          <line
            x1="0"
            x2="100%"
            y1={y(tick)}
            y2={y(tick)}
            stroke={tick === 0 ? 'var(--line-strong)' : 'var(--line)'}
          />
          <text
            x="-8"
            y={y(tick)}
            textAnchor="end"
            dominantBaseline="central"
            fill="var(--ink-muted)"
            fontSize="12"
          >
            {formatCompact(tick)}
          </text>
        </g>
      ))}
      {bars.map(({ id, pieces }, index) => (
        <g key={id} onPointerEnter={() => onPoint(index)}>
          <rect
            x={x(index)}
            width={x(1)}
            y={EDGE}
            height={height - 2 * EDGE}
            fill="var(--ink)"
            fillOpacity={pointed === index ? 0.05 : 0}
          />
          {pieces.map(({ key, left, width, from, to, colour }) => (
            <rect
              key={key}
              x={x(index + left)}
              width={x(width)}
              y={Math.min(y(from), y(to))}
              height={Math.abs(y(from) - y(to))}
              fill={colour}
            />
          ))}
        </g>
      ))}
      {lines.map(({ name, colour, values }) => (
        <g key={name} stroke={colour} strokeWidth="2.5" strokeLinecap="square" pointerEvents="none">
          {values.map((value, index) => {
            const next = values[index + 1];
            return (
              value !== null && (
                <g key={groups[index]?.id}>
                  <line x1={x(index)} x2={x(index + 1)} y1={y(value)} y2={y(value)} />
                  {typeof next === 'number' && (
                    <line x1={x(index + 1)} x2={x(index + 1)} y1={y(value)} y2={y(next)} />
                  )}
                </g>
              )
            );
          })}
        </g>
      ))}
    </svg>
  );
}
