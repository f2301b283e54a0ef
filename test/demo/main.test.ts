import { expect } from 'chai';
import { settingsOf } from '../../src/tools/cli/demo.ts';

describe('demo settings', () => {
  const urlOf = (env: Readonly<Record<string, string>>, url?: string): string =>
    settingsOf({ token: 'x', url }, env).url;

  it('name the service: --url, else DEMO_URL, else where PORT says, else 8080', () => {
    expect(urlOf({ PORT: '9090', DEMO_URL: 'http://there/' }, 'https://here:1/x/')).to.equal('https://here:1/x');
    expect(urlOf({ PORT: '9090', DEMO_URL: 'http://there/' })).to.equal('http://there');
    expect(urlOf({ PORT: '9090' })).to.equal('http://127.0.0.1:9090');
    expect(urlOf({})).to.equal('http://127.0.0.1:8080');
  });
});
