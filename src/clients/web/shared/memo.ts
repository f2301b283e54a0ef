import { Component, type ComponentClass, type ComponentChild } from 'preact';

/** A component that renders again only when one of its properties is a different object or value. */
export function memo<P extends object>(draw: (props: P) => ComponentChild): ComponentClass<P> {
  return class extends Component<P> {
    override shouldComponentUpdate(next: Readonly<P>): boolean {
      return differs(this.props, next);
    }

    override render(): ComponentChild {
      return draw(this.props);
    }
  };
}

function differs<P extends object>(before: P, after: P): boolean {
  const values = new Map<string, unknown>(Object.entries(before));
  return Object.entries(after).some(([name, value]) => values.get(name) !== value);
}
