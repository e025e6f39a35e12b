import { addressSettings } from './address-settings.ts';
import { bankProvider, bankSettings } from './bank-settings.ts';
import { connectionSettings } from './connection-settings.ts';
import { databaseSettings } from './database-settings.ts';
import { bucketSettings, documentSettings } from './document-settings.ts';
import { eidProvider, eidSettings } from './eid-settings.ts';
import { forensicSettings } from './forensic-settings.ts';
import { keySettings } from './key-settings.ts';
import { kycProvider, kycSettings } from './kyc-settings.ts';
import { limitSettings } from './limit-settings.ts';
import { invitationSettings, senderSettings, smtpSettings } from './mail-settings.ts';
import { operatorSettings } from './operator-settings.ts';
import { originSettings } from './origin-settings.ts';
import { processSettings } from './process-settings.ts';
import { reportSettings } from './report-settings.ts';
import { retentionSettings } from './retention-settings.ts';
import { scannerSettings } from './scanner-settings.ts';
import { optional, type SettingsTable, text } from './setting.ts';
import { stopSettings } from './stop-settings.ts';
import { webhookSettings } from './webhook-settings.ts';

/** Read before all others, to find them. */
const settingsFile = { SETTINGS_FILE: optional(text, 'Settings file; empty: none. Environment only.', '`.env`') };

/** The settings, by their table in docs/operating. A settings file with any other name is rejected. */
export const catalogue = {
  service: {
    ...settingsFile,
    ...processSettings,
    ...originSettings,
    ...databaseSettings,
    ...documentSettings,
    ...scannerSettings,
    ...operatorSettings,
    ...stopSettings,
    ...connectionSettings,
    ...addressSettings,
    ...limitSettings,
    ...kycProvider,
    ...eidProvider,
    ...bankProvider,
    ...invitationSettings,
    ...forensicSettings,
    ...keySettings,
    ...reportSettings,
  },
  deliveries: webhookSettings,
  retention: retentionSettings,
  mail: { ...senderSettings, ...smtpSettings },
  kyc: kycSettings,
  eid: eidSettings,
  bank: bankSettings,
  store: bucketSettings,
} satisfies Record<string, SettingsTable>;

export function settingNames(): string[] {
  return Object.values<SettingsTable>(catalogue).flatMap(Object.keys);
}
