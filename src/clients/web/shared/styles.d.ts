/** Style sheets are imported so that the build bundles them; they export nothing. */
declare module '*.css';
