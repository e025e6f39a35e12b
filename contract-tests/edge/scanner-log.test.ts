import { expect } from 'chai';
import { databases } from '../../harness/database/dialect.ts';
import { suiteFixture } from '../../harness/mocha/fixtures.ts';
import { VirusScanner } from '../../harness/peers/virus-scanner.ts';
import { UnacceptableDocument } from '../../providers/documents/port.ts';
import { startLoggedService } from './logged-service.ts';

databases('either');

describe('the log of a document with a virus', () => {
  const scanner = suiteFixture(() => VirusScanner.start());
  const logged = suiteFixture(() => startLoggedService(scanner.env));

  it('names the virus, and neither the person nor the document', async () => {
    scanner.signatures.push('%PDF-');
    const refused = await logged
      .tenantWithDocument('eve@mail.example', 'Confidencia', 'Secreta')
      .catch((error) => error);
    expect(refused).to.be.instanceOf(UnacceptableDocument);
    const line = logged.lines().find(({ msg }) => msg === 'document refused by the virus scanner');
    expect(line).to.include({ level: 'warn', reason: 'The virus scanner found Eicar-Test-Signature.' });
    expect(logged.text()).to.not.match(/Confidencia|Secreta|eve@/);
  });
});
