export { Html, html } from '../../core/html.ts';
