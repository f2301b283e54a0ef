import { useLayoutEffect, useRef, useState } from 'preact/hooks';
import { base } from '../../shared/base.ts';

/** The size, in px, of the window that OBS gives the overlay. */
const WIDTH = 1_920;
const HEIGHT = 1_080;

interface OverlayPreviewProps {
  /** The path of the overlay, with its parameters. */
  readonly path: string;
  readonly title: string;
}

/** An overlay as OBS shows it, made smaller, over something like a video. */
export function OverlayPreview({ path, title }: OverlayPreviewProps) {
  const box = useRef<HTMLDivElement>(null);
  const [width, setWidth] = useState(WIDTH);
  useLayoutEffect(() => {
    const { current: element } = box;
    if (element === null) return;
    const measure = (): void => setWidth(element.clientWidth);
    measure();
    const observer = new ResizeObserver(measure);
    observer.observe(element);
    return () => observer.disconnect();
  }, []);
  return (
    <figure class="overlay-preview">
      <figcaption>{title}</figcaption>
      <div class="video" ref={box}>
        <iframe
          key={path}
          src={base + path}
          title={title}
          width={WIDTH}
          height={HEIGHT}
          style={{ transform: `scale(${width / WIDTH})` }}
        />
      </div>
    </figure>
  );
}
