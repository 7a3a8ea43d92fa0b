type DrawingProps = { svg: string; className?: string; preserveAspectRatio?: string };

/**
 * Decorative: an SVG file within the page, which takes the text's colour and costs no request.
 * @throws if it is not an `<svg>` element with a viewBox
 */
export function Drawing({ svg, ...props }: DrawingProps) {
  const [, viewBox, shapes] = /^<svg [^>]*viewBox="([^"]+)"[^>]*>(.+)<\/svg>\n$/s.exec(svg) ?? [];
  if (!shapes) throw new Error(`Not a drawing: ${svg.slice(0, 80)}`);
  const markup = { __html: shapes.replace(/\n\s*/g, '') };
  return (
    <svg
      viewBox={viewBox}
      aria-hidden="true"
      focusable="false"
      {...props}
      // biome-ignore lint/security/noDangerouslySetInnerHtml: a file of this folder
      dangerouslySetInnerHTML={markup}
    />
  );
}
