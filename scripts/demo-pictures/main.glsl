vec3 normalAt(vec3 p){ vec3 n=vec3(0); for(int i=min(passes,0);i<4;i++){ vec3 e=.5773*(2.*vec3((((i+3)>>1)&1),((i>>1)&1),(i&1))-1.); n+=e*map(p+.0015*e).d; } return normalize(n); }
Hit march(vec3 o,vec3 d,int most,float far,out float t){ t=.02; Hit h; h.m=-1; for(int i=min(passes,0);i<most;i++){ h=map(o+d*t); if(h.d<.001*(1.+t*.3))return h; t+=h.d*.92; if(t>far)break; } h.m=-1; return h; }
float shadow(vec3 o,vec3 d,float k){ float r=1.,t=.03; for(int i=min(passes,0);i<36;i++){ float x=map(o+d*t).d; r=min(r,.5+.5*k*x/t); if(r<0.)break; t+=clamp(x,.03,.35); if(t>9.)break; } r=max(r,0.); return r*r*(3.-2.*r); }
float hidden(vec3 p,vec3 n){ float a=0.,w=1.; for(int i=min(passes,0);i<6;i++){ float x=.03+.13*float(i); a+=w*max(x-map(p+n*x).d,0.); w*=.8; } return clamp(1.-1.05*a,0.,1.); }
vec3 shade(vec3 o,vec3 d,bool mirror){ float t; Hit h=march(o,d,mirror?60:150,18.,t); if(h.m<0)return sky(d)*(mirror?.35:1.);
  vec3 p=o+d*t,n=normalAt(p); Mat s=surface(p,h.m); vec3 a=pow(s.albedo,vec3(2.2));
  vec3 l=normalize(keyTo+.05*(vec3(rnd(),rnd(),rnd())-.5)); float ndl=max(dot(n,l),0.); float sh=ndl>0.?shadow(p+n*.01,l,soft):0.; float ao=mirror?1.:hidden(p+n*.004,n);
  vec3 c=s.glow+a*keyColor*ndl*sh;
  float up=.5+.5*n.y; c+=a*ao*(mix(groundColor,skyColor,up));
  c+=a*ao*fillColor*max(dot(n,fillTo),0.)*(.5+.5*ao);
#if SCENE==2
  vec3 lv=vec3(1.35,1.75,-.35)-p; float ld=dot(lv,lv); vec3 ln=normalize(lv); float out1=h.m==4||h.m==5?0.:1.; float cone=max(smoothstep(.45,.75,abs(ln.y)),.12); c+=out1*a*vec3(1.,.58,.26)*9.*cone*max(dot(n,ln),0.)*ao/(ld+.4)*(h.m==9?.8:shadow(p+n*.02,normalize(lv+vec3(0,0,.9)),3.));
#endif
  vec3 hv=normalize(l-d); float e=mix(260.,12.,sqrt(s.rough)); float F=s.gloss+(1.-s.gloss)*pow(1.-max(dot(-d,n),0.),5.)*(1.-s.rough);
  c+=keyColor*sh*s.gloss*pow(max(dot(n,hv),0.),e)*(e*.06+1.)*(1.-s.rough*.5);
  // Very rough materials are cloth, whose edges are a little brighter.
  if(s.rough>.8)c+=a*ao*skyColor*.35*pow(1.-max(dot(-d,n),0.),3.);
  gloss=F*(1.-.6*s.rough); at1=p+n*.01; way=reflect(d,n); return c; }
void main(){ st=uint(gl_FragCoord.x)*1973u+uint(gl_FragCoord.y)*9277u+uint(seed*7919.)*26699u; pcg(); vec3 sum=vec3(0);
  vec3 eye,at; float zoom,lens; view(eye,at,zoom,lens);
  for(int i=0;i<passes;i++){ vec2 uv=(gl_FragCoord.xy+vec2(rnd(),rnd())-.5*size)/size.y*2.; vec3 f=normalize(at-eye),r=normalize(cross(f,vec3(0,1,0))),u=cross(r,f);
    vec3 c=vec3(0); vec3 o=eye,d=normalize(f*zoom+uv.x*r+uv.y*u); float w=1.;
    for(int b=min(passes,0);b<2;b++){ gloss=0.; c+=w*min(shade(o,d,b>0),vec3(9.)); w*=gloss; if(w<.03)break; o=at1; d=way; }
    vec2 v=gl_FragCoord.xy/size-.5; sum+=c*(1.-.32*dot(v,v)); }
  color=vec4(sum,float(passes)); }
