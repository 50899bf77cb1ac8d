{{- define "treadle.labels" -}}
app.kubernetes.io/name: treadle
app.kubernetes.io/instance: {{ .Release.Name }}
{{- end }}

{{- define "treadle.image" -}}
image: {{ printf "%s:%s" .Values.image.repository (.Values.image.tag | default .Chart.AppVersion) | quote }}
imagePullPolicy: {{ .Values.image.pullPolicy }}
{{- end }}

{{- /* The name of a Secret: (list $ "journal" .Values.journal) is yours, or the chart's. */}}
{{- define "treadle.secret" -}}
{{- (index . 2).existingSecret | default (printf "%s-%s" (index . 0).Release.Name (index . 1)) | quote }}
{{- end }}

{{- define "treadle.pod" -}}
automountServiceAccountToken: false # agents run here, and nothing asks the cluster
enableServiceLinks: false # its TREADLE_* variables would be taken for settings
{{- with .Values.image.pullSecrets }}
imagePullSecrets: {{- range . }}
  - name: {{ . }}
{{- end }}
{{- end }}
{{- end }}

{{- define "treadle.user" -}}
runAsNonRoot: true
runAsUser: 1000
runAsGroup: 1000
fsGroup: 1000
fsGroupChangePolicy: OnRootMismatch # else each start gives the group all files of mode 0600
{{- end }}

{{- define "treadle.confined" -}}
allowPrivilegeEscalation: false
readOnlyRootFilesystem: true
capabilities: {drop: [ALL]}
{{- end }}

{{- /* Where things are; for init containers as well. */}}
{{- define "treadle.places" -}}
- {name: TREADLE_DATA_DIR, value: /home/treadle/.local/share/treadle}
- {name: TREADLE_CONFIG_DIR, value: /run/treadle/config}
{{- end }}

{{- define "treadle.env" -}}
{{- include "treadle.places" . }}
- {name: TREADLE_API_HOST, value: 127.0.0.1}
- {name: TREADLE_METRICS_PORT, value: "9464"}
- {name: TREADLE_METRICS_HOST, valueFrom: {fieldRef: {fieldPath: status.podIP}}}
{{- if not .Values.worker.join.url }}
- {name: TREADLE_JOURNAL_URL, valueFrom: {secretKeyRef: {name: {{ include "treadle.secret" (list . "journal" .Values.journal) }}, key: url}}}
- {name: TEMPORAL_ADDRESS, value: {{ .Values.temporal.address | quote }}}
- {name: TEMPORAL_NAMESPACE, value: {{ .Values.temporal.namespace | quote }}}
{{- if or .Values.temporal.apiKey.existingSecret .Values.temporal.apiKey.value }}
- {name: TEMPORAL_API_KEY, valueFrom: {secretKeyRef: {name: {{ include "treadle.secret" (list . "temporal" .Values.temporal.apiKey) }}, key: api-key}}}
{{- end }}
{{- if .Values.temporal.tlsSecret }}
- {name: TEMPORAL_TLS_CLIENT_CERT_PATH, value: /run/treadle/temporal/tls.crt}
- {name: TEMPORAL_TLS_CLIENT_KEY_PATH, value: /run/treadle/temporal/tls.key}
{{- end }}
{{- if .Values.temporal.caSecret }}
- {name: TEMPORAL_TLS_SERVER_CA_CERT_PATH, value: /run/treadle/temporal-ca/ca.crt}
{{- end }}
{{- end }}
{{- end }}

{{- /* Where webhooks come in, of which people see the senders; for both containers of the API. */}}
{{- define "treadle.webhooks" -}}
{{- if .Values.webhooks.senders }}
{{- $senders := list }}
{{- range .Values.webhooks.senders }}
{{- $senders = append $senders (merge (dict "secret_file" (printf "/run/treadle/webhooks/%s" .name)) .) }}
{{- end }}
- {name: TREADLE_WEBHOOKS_LISTEN, value: "{{ .Values.webhooks.host }}:8430"}
- {name: TREADLE_WEBHOOKS_SENDERS, value: {{ $senders | toJson | quote }}}
{{- end }}
{{- end }}

{{- define "treadle.mounts" -}}
- {name: home, mountPath: /home/treadle}
- {name: tmp, mountPath: /tmp}
- {name: config, mountPath: /run/treadle/config, readOnly: true} # sandboxes do not see /run
{{- if .Values.temporal.tlsSecret }}
- {name: temporal, mountPath: /run/treadle/temporal, readOnly: true}
{{- end }}
{{- if .Values.temporal.caSecret }}
- {name: temporal-ca, mountPath: /run/treadle/temporal-ca, readOnly: true}
{{- end }}
{{- end }}

{{- define "treadle.volumes" -}}
- {name: tmp, emptyDir: {}}
- {name: config, configMap: {name: {{ .Release.Name }}-people}}
{{- with .Values.temporal.tlsSecret }}
- {name: temporal, secret: {secretName: {{ . }}, defaultMode: 0440}}
{{- end }}
{{- with .Values.temporal.caSecret }}
- {name: temporal-ca, secret: {secretName: {{ . }}, defaultMode: 0440}}
{{- end }}
{{- if not .Values.worker.join.url }}
- name: keys
  secret:
    secretName: {{ include "treadle.secret" (list . "keys" .Values.keys) }}
    defaultMode: 0440
    items: [{key: payload.keys, path: payload.keys}, {key: decision.key, path: decision.key}]
{{- end }}
{{- end }}

{{- /* Treadle keeps its keys as its own, of mode 0600, which a mounted secret is not. */}}
{{- define "treadle.keys" -}}
- name: keys
  {{- include "treadle.image" . | nindent 2 }}
  command: [sh, -euc, 'umask 077; mkdir -p "$TREADLE_DATA_DIR"; install -m 600 /run/treadle/keys/* "$TREADLE_DATA_DIR"']
  env: {{- include "treadle.places" . | nindent 4 }}
  securityContext: {{- include "treadle.confined" . | nindent 4 }}
    seccompProfile: {type: RuntimeDefault}
  volumeMounts:
    - {name: home, mountPath: /home/treadle}
    - {name: keys, mountPath: /run/treadle/keys, readOnly: true}
{{- end }}
