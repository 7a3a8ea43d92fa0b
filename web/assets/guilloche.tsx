// Fine interlaced lines like those on passports and banknotes: the firm's pattern. Drawn at build time.

type RosetteProps = { className?: string; petals?: number; line?: number };

/** One closed wave around a circle, as an SVG path around 0,0 (radius about 100 units). */
function wave(petals: number, depth: number, radius: number): string {
  const steps = petals * 8;
  const at = (step: number) => {
    const angle = (step / steps) * 2 * Math.PI;
    const r = radius + depth * Math.cos(petals * angle);
    return [r * Math.cos(angle), r * Math.sin(angle)] as const;
  };
  const format = (x: number, y: number) => `${x.toFixed(1)} ${y.toFixed(1)}`;
  const curves = Array.from({ length: steps }, (_, step) => {
    const [x, y] = at(step);
    const [nextX, nextY] = at(step + 1);
    return `Q${format(x, y)} ${format((x + nextX) / 2, (y + nextY) / 2)}`;
  });
  const [x, y] = at(0);
  const [lastX, lastY] = at(steps - 1);
  return `M${format((x + lastX) / 2, (y + lastY) / 2)}${curves.join('')}Z`;
}

const COPIES = 10;

/** A rosette of turned waves; takes the colour of the text. Decorative. */
export function Rosette({ className, petals = 12, line = 0.35 }: RosetteProps) {
  const id = `rosette-${petals}`;
  const turns = Array.from({ length: COPIES }, (_, n) => (n * 360) / petals / COPIES);
  return (
    <svg viewBox="-104 -104 208 208" className={className} aria-hidden="true" focusable="false">
      <defs>
        <g id={id} fill="none" stroke="currentColor" strokeWidth={line}>
          <path d={wave(petals, 16, 84)} />
          <path d={wave(petals, 18, 56)} />
          <path d={wave(petals / 2, 12, 30)} />
        </g>
      </defs>
      {turns.map((turn) => (
        <use key={turn} href={`#${id}`} transform={`rotate(${turn.toFixed(2)})`} />
      ))}
    </svg>
  );
}
